package io.millrace.broker.internal.transaction.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.coordinator.TxControl;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.broker.internal.transaction.narayana.ScriptedCommit.Script;
import io.millrace.broker.internal.transaction.narayana.ScriptedCommit.Step;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that has Narayana as its own transaction manager, and two brokers. */
final class TransactionManagerBesideTest {

    private static final Script COMMIT = new Script(false, Step.DONE, Step.DONE, Step.DONE);

    @TempDir
    private static Path directory;

    /** Once in a JVM, as in a program. */
    @BeforeAll
    static void configure() throws CoreEnvironmentBeanException {
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier("application");
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(directory.toString());
        }
    }

    @Test
    void shouldLeaveTheApplicationsTransactionManagerAlone() throws Exception {
        TransactionManager manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
        List<String> calls = new ArrayList<>();
        List<Path> logged = new ArrayList<>();
        try (ExecutorService shard = Executors.newSingleThreadExecutor();
                ExecutorService otherShard = Executors.newSingleThreadExecutor()) {
            commitWith(shard);

            manager.begin();
            manager.getTransaction().enlistResource(new Resource("first", calls, () -> {}));
            manager.getTransaction().enlistResource(new Resource("second", calls, () -> logged.addAll(files())));
            commitWith(otherShard);
            manager.commit();

            assertThat(calls)
                    .containsExactly("first prepared", "second prepared", "first committed", "second committed");
            assertThat(logged).as("files of the application's object store").isNotEmpty();
            assertThat(files()).isEmpty();
            assertThat(arjPropertyManager.getCoreEnvironmentBean().getNodeIdentifier())
                    .isEqualTo("application");

            // The application stops its own, and the brokers go on.
            TxControl.disable(true);
            try {
                commitWith(shard);
                commitWith(otherShard);
            } finally {
                TxControl.enable();
            }
        }
    }

    @Test
    void shouldCommitInTwoBrokersInsideATransactionOfTheApplication() throws Exception {
        List<String> calls = new ArrayList<>();
        try (EmbeddedBroker broker =
                        EmbeddedBroker.builder().temporaryDirectory().start();
                EmbeddedBroker other =
                        EmbeddedBroker.builder().temporaryDirectory().start();
                KafkaProducer<String, String> producer = producer(broker);
                KafkaProducer<String, String> otherProducer = producer(other)) {
            TransactionManager manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
            manager.begin();
            commitWith(producer);
            commitWith(otherProducer);
            manager.getTransaction().enlistResource(new Resource("first", calls, () -> commitWith(producer)));
            manager.getTransaction().enlistResource(new Resource("second", calls, () -> commitWith(otherProducer)));
            manager.commit();
        }

        assertThat(calls).containsExactly("first prepared", "second prepared", "first committed", "second committed");
        assertThat(files()).isEmpty();
    }

    private static KafkaProducer<String, String> producer(EmbeddedBroker broker) {
        KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", "127.0.0.1:" + broker.port(), "transactional.id", "beside"),
                new StringSerializer(),
                new StringSerializer());
        producer.initTransactions();
        return producer;
    }

    /** Throws what the broker says, if it does not commit. */
    private static void commitWith(KafkaProducer<String, String> producer) {
        producer.beginTransaction();
        var _ = producer.send(new ProducerRecord<>("topic", "value"));
        producer.commitTransaction();
    }

    private static void commitWith(ExecutorService shard) throws InterruptedException {
        ScriptedCommit commit = new ScriptedCommit(COMMIT, new ScriptedCommit.Executors(shard, shard));
        commit.begin(new NarayanaCommitEngine(shard));
        assertThat(commit.outcome()).isEqualTo("prepare decide tell done");
    }

    private static List<Path> files() {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A resource that notes what it is told in the two phases. */
    private record Resource(String name, List<String> calls, Runnable onCommit) implements XAResource {

        @Override
        public int prepare(Xid xid) {
            calls.add(name + " prepared");
            return XA_OK;
        }

        @Override
        public void commit(Xid xid, boolean onePhase) {
            calls.add(name + (onePhase ? " committed at once" : " committed"));
            onCommit.run();
        }

        @Override
        public void rollback(Xid xid) {
            calls.add(name + " rolled back");
        }

        @Override
        public void start(Xid xid, int flags) {}

        @Override
        public void end(Xid xid, int flags) {}

        @Override
        public void forget(Xid xid) {}

        @Override
        public Xid[] recover(int flag) {
            return new Xid[0];
        }

        @Override
        public boolean isSameRM(XAResource other) {
            return other instanceof Resource resource && resource.name.equals(name);
        }

        @Override
        public int getTransactionTimeout() {
            return 0;
        }

        @Override
        public boolean setTransactionTimeout(int seconds) {
            return false;
        }
    }
}
