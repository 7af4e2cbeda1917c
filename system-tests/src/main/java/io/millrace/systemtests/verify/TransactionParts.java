package io.millrace.systemtests.verify;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTAActionStatusServiceXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.narayana.RecoveryHelper;
import io.millrace.jms.narayana.ResourceNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.postgresql.xa.PGXADataSource;

/**
 * Narayana, a broker and a database, put together as docs/exactly-once.md does it.
 *
 * @param node of the transaction manager
 * @param url of the broker
 * @param log directory of the transaction manager's log
 * @param databaseUrl of the database; the password is in the environment
 */
record TransactionParts(String node, String url, Path log, String databaseUrl) {

    static final String BROKER = "millrace-transfer";
    static final String DATABASE = "postgresql-transfer";
    static final String PASSWORD = "MILLRACE_VERIFY_PASSWORD";

    private static final int SOME_S = 10;

    /** Less than between the two looks of a pass, so that one pass rolls back what nobody decided. */
    private static final int ORPHAN_AGE_MS = 500;

    MillraceConnectionFactory broker() {
        return new MillraceConnectionFactory(url);
    }

    PGXADataSource database() {
        PGXADataSource database = new PGXADataSource();
        database.setUrl(databaseUrl);
        database.setUser(PostgresServer.USER);
        database.setPassword(System.getenv(PASSWORD));
        database.setConnectTimeout(SOME_S);
        database.setLoginTimeout(SOME_S);
        return database;
    }

    /** Before anything else of Narayana is touched. */
    void configure() {
        try {
            arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(node);
        } catch (CoreEnvironmentBeanException e) {
            throw new ScenarioFailedException(node + " is no name of a node", e);
        }
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        JTAEnvironmentBean jta = jtaPropertyManager.getJTAEnvironmentBean();
        jta.setXaResourceRecordWrappingPluginClassName(ResourceNames.class.getName());
        jta.setXaRecoveryNodes(List.of(node));
        jta.setOrphanSafetyInterval(ORPHAN_AGE_MS);
        jta.setXaResourceOrphanFilterClassNames(List.of(
                JTATransactionLogXAResourceOrphanFilter.class.getName(),
                JTANodeNameXAResourceOrphanFilter.class.getName(),
                JTAActionStatusServiceXAResourceOrphanFilter.class.getName()));
        RecoveryEnvironmentBean recovery = recoveryPropertyManager.getRecoveryEnvironmentBean();
        recovery.setRecoveryModuleClassNames(
                List.of(AtomicActionRecoveryModule.class.getName(), XARecoveryModule.class.getName()));
        recovery.setExpiryScannerClassNames(List.of());
        recovery.setRecoveryListener(false);
        recovery.setPeriodicRecoveryPeriod(2);
        recovery.setRecoveryBackoffPeriod(1);
    }

    /**
     * Recovery, which knows both.
     *
     * @param management whether a thread of its own does it, or only who calls scan()
     */
    RecoveryManager recovery(int management) {
        RecoveryManager manager = RecoveryManager.manager(management);
        manager.initialize();
        XARecoveryModule module = XARecoveryModule.getRegisteredXARecoveryModule();
        module.addXAResourceRecoveryHelper(RecoveryHelper.of(broker(), BROKER));
        module.addXAResourceRecoveryHelper(RecoveryHelper.of(database(), DATABASE));
        return manager;
    }

    /** Returns how many entries the transaction manager's log has. */
    static long entries(Path log) throws IOException {
        if (!Files.exists(log)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(log)) {
            return files.filter(
                            file -> Files.isRegularFile(file) && file.toString().contains("AtomicAction"))
                    .count();
        }
    }
}
