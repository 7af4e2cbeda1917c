package io.millrace.broker.internal.transaction.narayana.isolated;

import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.coordinator.ActionManager;
import com.arjuna.ats.arjuna.coordinator.ActionType;
import com.arjuna.ats.arjuna.coordinator.RecordList;
import com.arjuna.ats.arjuna.coordinator.TwoPhaseCoordinator;
import com.arjuna.ats.arjuna.coordinator.TwoPhaseOutcome;
import com.arjuna.ats.arjuna.state.OutputObjectState;
import io.millrace.broker.internal.transaction.narayana.WaitingSteps;
import java.io.IOException;

/** A commit as Narayana's coordinator sees it: one participant, and a store that writes the decision. */
final class Action extends TwoPhaseCoordinator {

    private static final String TYPE = "/Millrace";

    private final WaitingSteps steps;
    private final DecisionStore store;

    Action(Uid uid, WaitingSteps steps, DecisionStore store) {
        // Top level from the beginning: a nested one, which is the default, would never look at its store.
        super(uid, ActionType.TOP_LEVEL);
        this.steps = steps;
        this.store = store;
    }

    /**
     * Goes through both phases. In the way of Narayana's own subordinate transactions, phase by phase: {@code end()} would do the same, but warn
     * in the log of each transaction that has to be rolled back, and commit a participant that is alone without writing the decision.
     */
    void commit() {
        store.begin(get_uid(), steps);
        try {
            start(null);
            add(new AllParticipants(get_uid(), steps));
            if (prepare(true) == TwoPhaseOutcome.PREPARE_NOTOK) {
                phase2Abort(true);
            } else {
                phase2Commit(true);
            }
        } finally {
            forget();
        }
    }

    /** Goes through the second phase alone. */
    void redo() {
        store.resume(get_uid(), steps);
        try {
            preparedList = new RecordList();
            readonlyList = new RecordList();
            failedList = new RecordList();
            heuristicList = new RecordList();
            preparedList.insert(new AllParticipants(get_uid(), steps));
            savedIntentionList = true;
            phase2Commit(true);
        } finally {
            forget();
        }
    }

    /** Also after an exception, which Narayana does not expect: it would keep the action for ever. */
    private void forget() {
        ActionManager.manager().remove(get_uid());
        store.forget(get_uid());
    }

    @Override
    public String type() {
        return TYPE;
    }

    /** Saves next to nothing: what is to be known after a crash stands in our log. Without a byte the store would not be called. */
    @Override
    public boolean save_state(OutputObjectState state, int objectType) {
        try {
            state.packByte((byte) 1);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
