package io.millrace.broker.internal.transaction.narayana.isolated;

import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.exceptions.ObjectStoreException;
import com.arjuna.ats.arjuna.objectstore.ObjectStoreAPI;
import com.arjuna.ats.arjuna.objectstore.StateStatus;
import com.arjuna.ats.arjuna.state.InputObjectState;
import com.arjuna.ats.arjuna.state.OutputObjectState;
import com.arjuna.ats.internal.arjuna.common.UidHelper;
import io.millrace.broker.internal.transaction.narayana.WaitingSteps;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Narayana's object store as a view of the transaction logs: that an action is written means that the decision of its transaction is. It finds
 * the transaction, and so its log and its broker, by the action's identifier, and has no bytes of its own. What was decided before a crash is
 * found in the log by the coordinator, not by Narayana's recovery.
 */
final class DecisionStore implements ObjectStoreAPI {

    private final ConcurrentMap<Uid, Entry> running = new ConcurrentHashMap<>();

    /** Makes an action known whose transaction is not decided. */
    void begin(Uid action, WaitingSteps steps) {
        running.put(action, new Entry(steps, false));
    }

    /** Makes an action known whose transaction is decided. */
    void resume(Uid action, WaitingSteps steps) {
        running.put(action, new Entry(steps, true));
    }

    void forget(Uid action) {
        running.remove(action);
    }

    /** Decides. Called once more for an action whose participants could not all be told, which changes nothing. */
    @Override
    public boolean write_committed(Uid action, String type, OutputObjectState state) throws ObjectStoreException {
        Entry entry = running.get(action);
        if (entry == null) {
            throw new ObjectStoreException("nobody commits " + action);
        }
        if (!entry.decided) {
            entry.steps.decide();
            entry.decided = true;
        }
        return true;
    }

    /** The coordinator itself writes to the log that a transaction is complete: when all participants have it on their disks. */
    @Override
    public boolean remove_committed(Uid action, String type) {
        return running.remove(action) != null;
    }

    @Override
    public int currentState(Uid action, String type) {
        Entry entry = running.get(action);
        return entry != null && entry.decided ? StateStatus.OS_COMMITTED : StateStatus.OS_UNKNOWN;
    }

    @Override
    public boolean allObjUids(String type, InputObjectState found, int state) throws ObjectStoreException {
        return nothing(found);
    }

    @Override
    public boolean allObjUids(String type, InputObjectState found) throws ObjectStoreException {
        return nothing(found);
    }

    @Override
    public boolean allTypes(InputObjectState found) throws ObjectStoreException {
        OutputObjectState none = new OutputObjectState();
        try {
            none.packString("");
        } catch (IOException e) {
            throw new ObjectStoreException(e);
        }
        found.setBuffer(none.buffer());
        return true;
    }

    private static boolean nothing(InputObjectState found) throws ObjectStoreException {
        OutputObjectState none = new OutputObjectState();
        try {
            UidHelper.packInto(Uid.nullUid(), none);
        } catch (IOException e) {
            throw new ObjectStoreException(e);
        }
        found.setBuffer(none.buffer());
        return true;
    }

    @Override
    public InputObjectState read_committed(Uid action, String type) throws ObjectStoreException {
        throw notKept();
    }

    @Override
    public InputObjectState read_uncommitted(Uid action, String type) throws ObjectStoreException {
        throw notKept();
    }

    @Override
    public boolean remove_uncommitted(Uid action, String type) throws ObjectStoreException {
        throw notKept();
    }

    @Override
    public boolean write_uncommitted(Uid action, String type, OutputObjectState state) throws ObjectStoreException {
        throw notKept();
    }

    @Override
    public boolean commit_state(Uid action, String type) throws ObjectStoreException {
        throw notKept();
    }

    @Override
    public boolean hide_state(Uid action, String type) throws ObjectStoreException {
        throw notKept();
    }

    @Override
    public boolean reveal_state(Uid action, String type) throws ObjectStoreException {
        throw notKept();
    }

    @Override
    public boolean isType(Uid action, String type, int state) throws ObjectStoreException {
        throw notKept();
    }

    private static ObjectStoreException notKept() {
        return new ObjectStoreException("states of actions are not kept: the transaction logs have what counts");
    }

    @Override
    public boolean fullCommitNeeded() {
        return false;
    }

    @Override
    public String getStoreName() {
        return "millrace";
    }

    @Override
    public void start() {}

    @Override
    public void stop() {}

    @Override
    public void sync() {}

    private static final class Entry {

        private final WaitingSteps steps;
        private boolean decided;

        private Entry(WaitingSteps steps, boolean decided) {
            this.steps = steps;
            this.decided = decided;
        }
    }
}
