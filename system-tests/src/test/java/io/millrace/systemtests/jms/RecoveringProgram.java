package io.millrace.systemtests.jms;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.narayana.RecoveryHelper;
import io.millrace.jms.narayana.ResourceNames;
import java.util.List;

/** Narayana's recovery for one broker, twice, in a process of its own, since its settings are those of a process. */
final class RecoveringProgram {

    private static final String NAME = "broker";

    private RecoveringProgram() {}

    /** Arguments: URL of the broker, name of the node, directory of the transaction log. */
    public static void main(String[] arguments) throws Exception {
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(arguments[1]);
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(arguments[2]);
        }
        JTAEnvironmentBean jta = jtaPropertyManager.getJTAEnvironmentBean();
        jta.setXaResourceRecordWrappingPluginClassName(ResourceNames.class.getName());
        jta.setXaRecoveryNodes(List.of(arguments[1]));
        jta.setXaResourceOrphanFilterClassNames(List.of(
                JTATransactionLogXAResourceOrphanFilter.class.getName(),
                JTANodeNameXAResourceOrphanFilter.class.getName()));
        jta.setOrphanSafetyInterval(1);
        RecoveryEnvironmentBean recovery = recoveryPropertyManager.getRecoveryEnvironmentBean();
        recovery.setRecoveryModuleClassNames(
                List.of(AtomicActionRecoveryModule.class.getName(), XARecoveryModule.class.getName()));
        recovery.setExpiryScannerClassNames(List.of());
        recovery.setRecoveryListener(false);
        recovery.setRecoveryBackoffPeriod(1);
        RecoveryManager manager = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        XARecoveryModule.getRegisteredXARecoveryModule()
                .addXAResourceRecoveryHelper(RecoveryHelper.of(new MillraceConnectionFactory(arguments[0]), NAME));
        manager.scan();
        manager.scan();
        // The connection that recovery keeps has a thread.
        System.exit(0);
    }
}
