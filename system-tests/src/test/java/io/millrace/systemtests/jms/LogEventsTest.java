package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.systemtests.network.TcpProxy;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.frame.TransactionDecision;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** One line of the log for each change of state, and not more. */
class LogEventsTest {

    @TempDir
    private Path directory;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.millrace");
    private final Lines lines = new Lines();

    private static final class Lines extends AppenderBase<ILoggingEvent> {

        private final List<ILoggingEvent> all = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent line) {
            line.prepareForDeferredProcessing();
            all.add(line);
        }

        List<ILoggingEvent> of(String event) {
            return all.stream()
                    .filter(line -> line.getKeyValuePairs() != null
                            && line.getKeyValuePairs().contains(new KeyValuePair("event", event)))
                    .toList();
        }

        void awaitOne(String event) {
            await().until(() -> !of(event).isEmpty());
            assertThat(of(event)).hasSize(1);
        }
    }

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(lines);
        logger.setLevel(Level.INFO);
        logger.setAdditive(true);
    }

    private static void send(String url, String queue) throws JMSException {
        try (Connection connection = new MillraceConnectionFactory(url).createConnection();
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            producer.send(session.createTextMessage("hello"));
        }
    }

    @Test
    void shouldTellWhenAConsumerOpensAndCloses() throws JMSException {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
                Connection connection = new MillraceConnectionFactory(broker.url()).createConnection()) {
            Session session = connection.createSession();
            session.createConsumer(session.createQueue("orders")).close();

            lines.awaitOne("consumer_opened");
            lines.awaitOne("consumer_closed");
            assertThat(lines.of("consumer_opened").getFirst().getLevel()).isEqualTo(Level.DEBUG);
            assertThat(lines.of("session_opened")).hasSize(1);
            assertThat(lines.of("session_lost")).isEmpty();
        }
        lines.awaitOne("session_closed");
    }

    /** The system's clocks, and some more of the monotonic one. */
    private static final class Ahead implements TimeSource {

        private final TimeSource system = SystemTimeSource.instance();
        private final AtomicLong aheadNs = new AtomicLong();

        @Override
        public long nanoTime() {
            return system.nanoTime() + aheadNs.get();
        }

        @Override
        public long wallClockMs() {
            return system.wallClockMs();
        }
    }

    private record Branch() implements Xid {
        @Override
        public int getFormatId() {
            return 7;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[0];
        }
    }

    @Test
    void shouldTellOnceOfABranchThatNobodyDecides() throws JMSException, XAException {
        Ahead time = new Ahead();
        try (EmbeddedBroker broker =
                EmbeddedBroker.builder().timeSource(time).directory(directory).start()) {
            MillraceConnectionFactory factory = new MillraceConnectionFactory(broker.url());
            try (XAConnection connection = factory.createXAConnection();
                    XASession session = connection.createXASession()) {
                XAResource resource = session.getXAResource();
                resource.start(new Branch(), XAResource.TMNOFLAGS);
                session.createProducer(session.createQueue("orders")).send(session.createTextMessage("one"));
                resource.end(new Branch(), XAResource.TMSUCCESS);
                resource.prepare(new Branch());
            }
            assertThat(lines.of("branch_in_doubt")).isEmpty();

            time.aheadNs.addAndGet(TimeUnit.SECONDS.toNanos(61));
            lines.awaitOne("branch_in_doubt");
            ILoggingEvent told = lines.of("branch_in_doubt").getFirst();
            assertThat(told.getLevel()).isEqualTo(Level.WARN);
            assertThat(told.getKeyValuePairs())
                    .contains(new KeyValuePair("transaction", "xa:7:01:"), new KeyValuePair("acknowledged", ""))
                    .anyMatch(fact ->
                            fact.key.equals("holds") && fact.value.toString().matches("orders-\\d"));
            time.aheadNs.addAndGet(TimeUnit.SECONDS.toNanos(61));
            try (MillraceAdmin admin = factory.createAdmin()) {
                admin.decideTransaction("xa:7:01:", TransactionDecision.ROLL_BACK);
            }
            lines.awaitOne("branch_decided");
            assertThat(lines.of("branch_decided").getFirst().getKeyValuePairs())
                    .contains(new KeyValuePair("outcome", "rolled back"), new KeyValuePair("byOperator", true));
            lines.awaitOne("transaction_decided");
            assertThat(lines.of("branch_in_doubt")).hasSize(1);
        }
    }

    @Test
    void shouldTellWhenASessionIsLostAndTakenUpAgain() throws JMSException {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
                TcpProxy proxy = new TcpProxy(broker.port());
                Connection connection = new MillraceConnectionFactory(
                                proxy.url() + "?reconnectDelay=10&reconnectMaxDelay=50")
                        .createConnection()) {
            Session session = connection.createSession();
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("one"));
            proxy.cut();

            lines.awaitOne("session_resumed");
            assertThat(lines.of("session_lost").size()).isLessThanOrEqualTo(1);
            assertThat(lines.of("session_opened")).hasSize(1);
            assertThat(lines.of("session_expired")).isEmpty();
        }
    }

    @Test
    void shouldTellWhenASessionDoesNotComeBack() throws JMSException {
        try (EmbeddedBroker broker = EmbeddedBroker.builder()
                        .config("session.grace.ms", "100")
                        .start();
                TcpProxy proxy = new TcpProxy(broker.port());
                Connection connection = new MillraceConnectionFactory(
                                proxy.url() + "?reconnectDelay=10000&reconnectMaxDelay=10000")
                        .createConnection()) {
            connection.createSession();
            proxy.cut();

            lines.awaitOne("session_expired");
            lines.awaitOne("session_lost");
            assertThat(lines.of("session_closed")).isEmpty();
        }
    }

    /** A commit journal would put right what is wrong in the files. */
    private EmbeddedBroker withoutJournal() {
        return EmbeddedBroker.builder()
                .directory(directory)
                .config("log.commit.journal.bytes", "0")
                .start();
    }

    @Test
    void shouldTellOfACutTailAndOfAPartitionThatIsDamaged() throws JMSException, IOException {
        try (EmbeddedBroker broker = withoutJournal()) {
            send(broker.url(), "torn");
            send(broker.url(), "damaged");
            broker.kill();
        }
        Path torn = directory.resolve("torn-0/00000000000000000000.log");
        Files.write(torn, new byte[100], StandardOpenOption.APPEND);
        Path damaged = directory.resolve("damaged-0/00000000000000000000.log");
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[70] ^= 1;
        Files.write(damaged, bytes);
        lines.all.clear();

        try (EmbeddedBroker _ = withoutJournal()) {
            lines.awaitOne("broker_ready");
            assertThat(lines.of("recovery_cut")).hasSize(1);
            assertThat(lines.of("partition_offline")).hasSize(1);
            assertThat(lines.of("partition_online")).hasSize(1);
            assertThat(lines.of("partition_offline").getFirst().getKeyValuePairs())
                    .contains(new KeyValuePair("partition", "damaged-0"));
        }
    }

    @Test
    void shouldTellOnceThatTheDiskIsFullAndOnceThatThereIsSpaceAgain() throws JMSException {
        FakeDisk disk = new FakeDisk(new SplittableRandom(7));
        try (EmbeddedBroker broker = EmbeddedBroker.builder()
                        .directory(disk.root().resolve("data"))
                        .config("log.reserve.bytes", "100000")
                        .start();
                Connection connection = new MillraceConnectionFactory(broker.url()).createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("orders"));
            producer.send(session.createTextMessage("first"));
            disk.capacityBytes(400_000);
            String text = "x".repeat(50_000);
            int refused = 0;
            for (int i = 0; i < 20; i++) {
                try {
                    producer.send(session.createTextMessage(text));
                } catch (JMSException full) {
                    refused++;
                }
            }
            assertThat(refused).isGreaterThan(2);
            lines.awaitOne("directory_full");
            assertThat(lines.of("directory_has_space")).isEmpty();

            disk.capacityBytes(Long.MAX_VALUE);
            lines.awaitOne("directory_has_space");
            assertThat(lines.of("directory_full")).hasSize(1);
        }
    }

    @Test
    void shouldTellOnceThatADirectoryHasFailed() throws JMSException {
        FakeDisk disk = new FakeDisk(new SplittableRandom(8));
        try (EmbeddedBroker broker =
                EmbeddedBroker.builder().directory(disk.root().resolve("data")).start()) {
            try (Connection connection =
                    new MillraceConnectionFactory(broker.url() + "?sendTimeout=2000").createConnection()) {
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue("orders"));
                // All that a producer needs besides is on the disk after this, so that it is the queue's force that
                // fails first.
                producer.send(session.createTextMessage("stored"));
                disk.failForces(true);
                int failed = 0;
                for (int i = 0; i < 3; i++) {
                    try {
                        producer.send(session.createTextMessage("lost"));
                    } catch (JMSException expected) {
                        failed++;
                    }
                }
                assertThat(failed).isEqualTo(3);
            }
            lines.awaitOne("directory_read_only");
            lines.awaitOne("partition_offline");
            disk.failForces(false);
        }
    }
}
