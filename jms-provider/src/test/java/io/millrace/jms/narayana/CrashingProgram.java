package io.millrace.jms.narayana;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.jms.XAConnectionFactory;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * A program with Narayana and two resources. {@code crash}: commits to both, and ends before the second commit. {@code recover}: runs two passes
 * of recovery. {@code recover-half}: the same, but recovery knows the second only. Arguments: which, a directory, and {@code named} or {@code unnamed}.
 */
final class CrashingProgram {

    static final String LEFT_AFTER = "left after pass %d: %d in the first, %d in the second, %d in the log";
    private static final String NODE = "node1";

    private final Path directory;
    private final boolean named;

    private CrashingProgram(Path directory, boolean named) {
        this.directory = directory;
        this.named = named;
    }

    public static void main(String[] args) throws Exception {
        CrashingProgram program = new CrashingProgram(Path.of(args[1]), args[2].equals("named"));
        program.configure();
        if (args[0].equals("crash")) {
            program.crash();
        } else {
            program.recover(args[0].equals("recover-half") ? List.of("second") : List.of("first", "second"));
        }
        System.exit(0);
    }

    private void configure() throws Exception {
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(NODE);
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(directory.resolve("log").toString());
        }
        JTAEnvironmentBean jta = jtaPropertyManager.getJTAEnvironmentBean();
        jta.setXaRecoveryNodes(List.of(NODE));
        jta.setXaResourceOrphanFilterClassNames(List.of(
                JTATransactionLogXAResourceOrphanFilter.class.getName(),
                JTANodeNameXAResourceOrphanFilter.class.getName()));
        if (named) {
            jta.setXaResourceRecordWrappingPluginClassName(ResourceNames.class.getName());
        }
        var recovery = recoveryPropertyManager.getRecoveryEnvironmentBean();
        recovery.setRecoveryModuleClassNames(
                List.of(AtomicActionRecoveryModule.class.getName(), XARecoveryModule.class.getName()));
        recovery.setExpiryScannerClassNames(List.of());
        recovery.setRecoveryBackoffPeriod(1);
    }

    private XAConnectionFactory broker(String name, Runnable beforeCommit) {
        XAConnectionFactory factory = new FakeXAConnectionFactory(() -> resource(name, beforeCommit)).factory();
        return named ? NamedXAConnectionFactory.of(factory, name) : factory;
    }

    private FileResource resource(String name, Runnable beforeCommit) {
        try {
            return new FileResource(directory.resolve(name)) {
                @Override
                public void commit(Xid xid, boolean onePhase) throws XAException {
                    beforeCommit.run();
                    super.commit(xid, onePhase);
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void crash() throws Exception {
        TransactionManager manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
        manager.begin();
        manager.getTransaction().enlistResource(enlisted("first", () -> {}));
        manager.getTransaction()
                .enlistResource(enlisted("second", () -> Runtime.getRuntime().halt(0)));
        manager.commit();
        throw new IllegalStateException("committed without a crash");
    }

    private XAResource enlisted(String name, Runnable beforeCommit) throws Exception {
        return broker(name, beforeCommit).createXAConnection().createXASession().getXAResource();
    }

    private void recover(List<String> names) throws Exception {
        RecoveryManager manager = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        manager.initialize();
        XARecoveryModule module = XARecoveryModule.getRegisteredXARecoveryModule();
        for (String name : names) {
            module.addXAResourceRecoveryHelper(
                    named ? RecoveryHelper.of(broker(name, () -> {}), name) : new Unnamed(resource(name, () -> {})));
        }
        for (int pass = 1; pass <= 2; pass++) {
            manager.scan();
            System.out.printf(
                    LEFT_AFTER + "%n",
                    pass,
                    FileResource.prepared(directory.resolve("first")),
                    FileResource.prepared(directory.resolve("second")),
                    logged());
        }
    }

    private long logged() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("log"))) {
            return files.filter(
                            file -> Files.isRegularFile(file) && file.toString().contains("AtomicAction"))
                    .count();
        }
    }

    private record Unnamed(XAResource resource) implements XAResourceRecoveryHelper {

        @Override
        public boolean initialise(String properties) {
            return true;
        }

        @Override
        public XAResource[] getXAResources() {
            return new XAResource[] {resource};
        }
    }
}
