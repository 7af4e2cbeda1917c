package io.millrace.broker.internal.transaction.narayana.isolated;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.objectstore.StoreManager;
import com.arjuna.ats.internal.arjuna.utils.UuidProcessId;
import com.arjuna.common.util.propertyservice.PropertiesFactory;
import io.millrace.broker.internal.transaction.narayana.TwoPhases;
import io.millrace.broker.internal.transaction.narayana.WaitingSteps;
import java.util.concurrent.atomic.AtomicLong;

/** The way into Narayana. The first and only one of its class loader sets up Narayana there. */
public final class NarayanaTwoPhases implements TwoPhases {

    /** "Millrace": Narayana's identifiers of actions begin with the host's address, which would have to be looked up. */
    private static final long HOST = 0x4d696c6c72616365L;

    private final DecisionStore store = new DecisionStore();
    private final AtomicLong actions = new AtomicLong();

    /** Sets up Narayana. */
    public NarayanaTwoPhases() {
        PropertiesFactory.setDelegatePropertiesFactory(new NoProperties());
        // would listen on a port, for recovery by other processes
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        CoreEnvironmentBean core = arjPropertyManager.getCoreEnvironmentBean();
        // the default listens on a port to have a number of its own
        core.setProcessImplementationClassName(UuidProcessId.class.getName());
        try {
            // Part of Xids, of which this copy of Narayana makes none.
            core.setNodeIdentifier("millrace");
        } catch (CoreEnvironmentBeanException e) {
            throw new IllegalStateException("Narayana does not take its node identifier", e);
        }
        var _ = new StoreManager(store, store, store);
    }

    @Override
    public void commit(WaitingSteps steps) {
        new Action(nextUid(), steps, store).commit();
    }

    @Override
    public void redo(WaitingSteps steps) {
        new Action(nextUid(), steps, store).redo();
    }

    /** Unique in this JVM, which is enough: none of them is ever written. */
    private Uid nextUid() {
        long action = actions.incrementAndGet();
        return new Uid(new long[] {HOST, 0}, 0, (int) (action >>> Integer.SIZE), (int) action);
    }
}
