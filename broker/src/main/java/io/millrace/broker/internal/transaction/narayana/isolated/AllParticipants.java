package io.millrace.broker.internal.transaction.narayana.isolated;

import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.coordinator.AbstractRecord;
import com.arjuna.ats.arjuna.coordinator.RecordType;
import com.arjuna.ats.arjuna.coordinator.TwoPhaseOutcome;
import io.millrace.broker.internal.transaction.narayana.WaitingSteps;

/** All participants of a transaction as one, so that they are asked and told at the same time: Narayana goes from one to the next. */
final class AllParticipants extends AbstractRecord {

    private final WaitingSteps steps;

    AllParticipants(Uid uid, WaitingSteps steps) {
        super(uid);
        this.steps = steps;
    }

    @Override
    public int typeIs() {
        return RecordType.USER_DEF_FIRST1;
    }

    /** Without this nothing would be written. */
    @Override
    public boolean doSave() {
        return true;
    }

    @Override
    public int topLevelPrepare() {
        return steps.prepare() ? TwoPhaseOutcome.PREPARE_OK : TwoPhaseOutcome.PREPARE_NOTOK;
    }

    @Override
    public int topLevelCommit() {
        return steps.tell() ? TwoPhaseOutcome.FINISH_OK : TwoPhaseOutcome.FINISH_ERROR;
    }

    /** Rolling back is the coordinator's: it has to be in the log, and goes on until all participants know. */
    @Override
    public int topLevelAbort() {
        return TwoPhaseOutcome.FINISH_OK;
    }

    @Override
    public int nestedPrepare() {
        return TwoPhaseOutcome.PREPARE_NOTOK;
    }

    @Override
    public int nestedCommit() {
        return TwoPhaseOutcome.FINISH_ERROR;
    }

    @Override
    public int nestedAbort() {
        return TwoPhaseOutcome.FINISH_OK;
    }

    @Override
    public Object value() {
        return steps;
    }

    @Override
    public void setValue(Object value) {}

    @Override
    public void merge(AbstractRecord other) {}

    @Override
    public void alter(AbstractRecord other) {}

    @Override
    public boolean shouldAdd(AbstractRecord other) {
        return false;
    }

    @Override
    public boolean shouldAlter(AbstractRecord other) {
        return false;
    }

    @Override
    public boolean shouldMerge(AbstractRecord other) {
        return false;
    }

    @Override
    public boolean shouldReplace(AbstractRecord other) {
        return false;
    }
}
