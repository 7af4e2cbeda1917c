package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code millrace txn} against a running broker, with transactions of all kinds. */
final class TransactionsCommandTest {

    private static final String UID = "00".repeat(27) + "01";
    private static final String GLOBAL = UID + HexFormat.of().formatHex("orders1".getBytes(StandardCharsets.US_ASCII));
    private static final String ID = "xa:131077:" + GLOBAL + ":0a";

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private String address;

    private record Branch(String transaction) implements Xid {
        @Override
        public int getFormatId() {
            return 131_077;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return HexFormat.of().parseHex(transaction);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {10};
        }
    }

    private static final Xid XID = new Branch(GLOBAL);

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.builder().directory(directory).start();
        address = broker.url().substring("millrace://".length());
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void restart() {
        stop();
        start();
    }

    private CommandRun run(String arguments) {
        List<String> all = new ArrayList<>(List.of(arguments.split(" ", -1)));
        all.addAll(List.of("--server", address));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private CommandRun runAnswering(String answer, String arguments) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
        try {
            return run(arguments);
        } finally {
            System.setIn(before);
        }
    }

    private JsonNode json(String arguments) throws IOException {
        CommandRun run = run(arguments + " --json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    private void refused(String arguments, String... words) {
        CommandRun run = run(arguments);
        assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("millrace: ").contains(words);
    }

    private interface Work {
        void with(XAResource resource) throws XAException, JMSException;
    }

    private void asTransactionManager(Work work) throws XAException, JMSException {
        try (XAConnection connection = new MillraceConnectionFactory(broker.url()).createXAConnection();
                XASession session = connection.createXASession()) {
            work.with(session.getXAResource());
        }
    }

    /** Moves a message from the queue {@code in} to the queue {@code out}, and promises to commit that. */
    private void prepare() throws JMSException, XAException {
        MillraceConnectionFactory factory = new MillraceConnectionFactory(broker.url());
        try (XAConnection connection = factory.createXAConnection();
                XASession session = connection.createXASession();
                Connection plain = factory.createConnection();
                Session other = plain.createSession()) {
            connection.start();
            other.createProducer(other.createQueue("in")).send(other.createTextMessage("in"));
            MessageConsumer consumer = session.createConsumer(session.createQueue("in"));
            session.getXAResource().start(XID, XAResource.TMNOFLAGS);
            assertThat(consumer.receive(10_000)).isNotNull();
            session.createProducer(session.createQueue("out")).send(session.createTextMessage("out"));
            session.getXAResource().end(XID, XAResource.TMSUCCESS);
            assertThat(session.getXAResource().prepare(XID)).isEqualTo(XAResource.XA_OK);
        }
    }

    private int messages(String queue) throws JMSException {
        try (Connection connection = new MillraceConnectionFactory(broker.url()).createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            connection.start();
            int received = 0;
            while (consumer.receive(received == 0 ? 500 : 100) != null) {
                received++;
            }
            return received;
        }
    }

    private void hears(int code, Work work) {
        assertThatThrownBy(() -> asTransactionManager(work))
                .isInstanceOfSatisfying(
                        XAException.class, why -> assertThat(why.errorCode).isEqualTo(code));
    }

    private static Work commits() {
        return resource -> resource.commit(XID, false);
    }

    private static Work rollsBack() {
        return resource -> resource.rollback(XID);
    }

    @Test
    void shouldListNothingWhereNothingWasUsed() throws IOException {
        assertThat(run("txn list").out()).startsWith("STATE ").hasLineCount(1);
        assertThat(json("txn list")).isEmpty();
        refused("txn show pay", "there is no transaction pay");
        refused("txn rollback pay --yes", "there is no transaction pay");
    }

    @Test
    void shouldShowABranchSoThatItCanBeDecided() throws IOException, JMSException, XAException {
        prepare();

        JsonNode listed = json("txn list").get(0);
        assertThat(listed.path("id").asText()).isEqualTo(ID);
        assertThat(listed.path("kind").asText()).isEqualTo("xa");
        assertThat(listed.path("state").asText()).isEqualTo("prepared");
        assertThat(listed.path("participants").asInt()).isEqualTo(2);
        assertThat(listed.at("/xid/node").asText()).isEqualTo("orders1");
        assertThat(listed.at("/xid/formatId").asInt()).isEqualTo(131_077);
        assertThat(run("txn list").out().lines().toList().get(1))
                .matches("prepared +xa +\\d+\\.\\ds +2 +\\S+ +orders1 +" + ID);

        assertThat(run("txn show " + ID).out())
                .startsWith(ID + "\n")
                .contains("node       orders1", "state      prepared for ", "its transaction manager decides")
                .containsPattern("in-\\d  acknowledgements that are undecided\n")
                .containsPattern("out-\\d  messages that are undecided, from offset 0\n")
                .doesNotContain("timeout", "at work");
        JsonNode shown = json("txn show " + ID);
        assertThat(shown.path("decidedByOperator").asBoolean()).isFalse();
        assertThat(shown.path("participants")).hasSize(2);

        restart();
        assertThat(json("txn show " + ID).path("participants"))
                .hasSize(2)
                .allMatch(one -> one.path("has").asText().equals("open"));
    }

    @ParameterizedTest
    @CsvSource({"commit, committed, heuristic-commit", "rollback, rolled back, heuristic-rollback"})
    void shouldDecideInPlaceOfTheTransactionManager(String command, String done, String state)
            throws IOException, JMSException, XAException {
        boolean commit = command.equals("commit");
        int code = commit ? XAException.XA_HEURCOM : XAException.XA_HEURRB;
        prepare();
        assertThat(messages("out")).isZero();

        CommandRun unsure = runAnswering("n\n", "txn " + command + " " + ID);
        assertThat(unsure.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(unsure.err()).contains(ID, "whatever its transaction manager decides? [y/N]", "nothing was done");
        assertThat(json("txn list --state prepared")).hasSize(1);
        CommandRun sure = runAnswering("y\n", "txn " + command + " " + ID);
        assertThat(sure.out()).isEqualTo(done + " " + ID + "\n");

        for (int starts = 0; starts < 2; starts++) {
            assertThat(json("txn list").get(0).path("state").asText()).isEqualTo(state);
            assertThat(run("txn show " + ID).out())
                    .contains("by an operator, and not forgotten yet")
                    .doesNotContain("timeout");
            refused("txn commit " + ID + " --yes", "by an operator", "until it is forgotten");
            refused("txn rollback " + ID, "by an operator");
            hears(code, commits());
            hears(code, rollsBack());
            asTransactionManager(resource -> assertThat(resource.recover(XAResource.TMSTARTRSCAN))
                    .singleElement()
                    .satisfies(
                            xid -> assertThat(xid.getGlobalTransactionId()).isEqualTo(XID.getGlobalTransactionId())));
            restart();
        }
        assertThat(messages("out")).isEqualTo(commit ? 1 : 0);
        assertThat(messages("in")).isEqualTo(commit ? 0 : 1);

        assertThat(runAnswering("y\n", "txn forget " + ID).out()).isEqualTo("forgot " + ID + "\n");
        assertThat(json("txn list")).isEmpty();
        hears(XAException.XAER_NOTA, commits());
        refused("txn forget " + ID, "there is no transaction " + ID);
        restart();
        assertThat(json("txn list")).isEmpty();
    }

    @Test
    void shouldLetTheTransactionManagerHaveItForgotten() throws IOException, JMSException, XAException {
        prepare();
        String copied = "xa:131077:" + GLOBAL.toUpperCase(Locale.ROOT) + ":0A";
        assertThat(run("txn commit " + copied + " --yes").out()).isEqualTo("committed " + ID + "\n");
        asTransactionManager(resource -> resource.forget(XID));
        assertThat(json("txn list")).isEmpty();
        assertThat(json("txn list --state heuristic-commit,complete-commit")).isEmpty();
    }

    @Test
    void shouldNotForgetOrDecideOutOfTurn() throws JMSException, XAException {
        prepare();
        refused("txn forget " + ID, "waits for a decision", "commit it or roll it back first");
        asTransactionManager(commits());
        refused("txn commit " + ID, "there is no transaction");
        refused("txn rollback " + ID + " --yes", "there is no transaction");
    }

    @Test
    void shouldRollBackTheTransactionOfASession() throws IOException, JMSException, XAException {
        try (Connection connection = new MillraceConnectionFactory(broker.url()).createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            session.createProducer(session.createQueue("out")).send(session.createTextMessage("never"));
            // Sends in a transaction are not waited for.
            await().until(() -> json("txn list --kind jms").size() == 1);
            String id = json("txn list").get(0).path("id").asText();
            assertThat(json("txn list --kind kafka,xa")).isEmpty();
            assertThat(json("txn list --older-than 1h")).isEmpty();
            assertThat(json("txn list --older-than 0")).hasSize(1);
            prepare();
            assertThat(json("txn list").findValuesAsText("kind"))
                    .as("the oldest first")
                    .containsExactly("jms", "xa");
            asTransactionManager(rollsBack());
            assertThat(run("txn show " + id).out())
                    .contains("transacted JMS session", "ongoing for ", "at work    session ", "of client 127.0.0.1:");
            refused("txn commit " + id + " --yes", "is ongoing", "only a prepared branch can be committed");

            assertThat(run("txn rollback " + id + " --yes").out()).isEqualTo("rolled back " + id + "\n");

            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
            session.createProducer(session.createQueue("out")).send(session.createTextMessage("once"));
            session.commit();
            assertThat(messages("out")).isEqualTo(1);
            refused("txn rollback jms:none:0", "there is no transaction jms:none:0");
        }
    }

    @Test
    void shouldFenceAProducerWhoseTransactionHangs() throws IOException, InterruptedException, ExecutionException {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, address, ProducerConfig.TRANSACTIONAL_ID_CONFIG, "pay"),
                new StringSerializer(),
                new StringSerializer())) {
            producer.initTransactions();
            assertThat(json("txn list")).isEmpty();
            assertThat(json("txn list --state EMPTY").get(0).path("id").asText())
                    .isEqualTo("pay");
            refused("txn rollback pay --yes", "has nothing open");
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("topic", "x")).get();

            assertThat(run("txn show pay").out())
                    .contains(
                            "transactional id of a Kafka producer", "ongoing", "timeout    1m 0s", "topic-0  messages");
            assertThat(run("txn rollback pay --yes").exitCode()).isZero();

            assertThatThrownBy(producer::commitTransaction).isInstanceOf(ProducerFencedException.class);
            refused("txn rollback pay --yes", "it was rolled back");
            refused("txn forget pay --yes", "was not decided by an operator");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "xa:131077",
                "xa:131077:0a",
                "xa:131077:0a:0b:0c",
                "xa:131077:0a:xy",
                "xa:131077:0a1:02",
                "xa:-1:0a:02",
                "xa:99999999999:0a:02",
                "xa:4294967296:0a:02"
            })
    void shouldSayWhatIsWrongWithAnId(String id) {
        for (String command : List.of("show", "commit", "rollback", "forget")) {
            // Nobody is asked: there is no broker at that address.
            CommandRun run = CommandRun.of("txn", command, id, "--server", "127.0.0.1:1");
            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).startsWith("millrace: ").contains(id);
        }
    }

    @Test
    void shouldSayWhatIsWrongWithOtherArguments() {
        String tooLong = "xa:1:" + "00".repeat(65) + ":";
        assertThat(run("txn show " + tooLong).err()).contains("at most 64 bytes, has 65");
        assertThat(run("txn show " + tooLong).exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(CommandRun.of("txn", "show", "").err()).contains("is not empty");
        assertThat(run("txn show " + "x".repeat(32_768)).err()).contains("at most 32767 characters");
        refused("txn show " + "x".repeat(32_767), "there is no transaction xxx");
        assertThat(run("txn list --state open").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run("txn list --state open").err()).contains("'open' is none of empty, ongoing, prepared");
        assertThat(run("txn list --kind stomp").err()).contains("none of kafka, jms, xa");
        assertThat(run("txn list --older-than soon").err()).contains("is no duration");
        assertThat(CommandRun.of("txn").err()).contains("list|show|commit|rollback|forget");
        refused("txn show xa:mine", "there is no transaction xa:mine");
        refused("txn show xa:1:" + "00".repeat(64) + ":", "there is no transaction");
    }

    @Test
    void shouldNotPrintWhatATerminalWouldObey() {
        assertThat(TransactionId.printable("pay\u001b[2J\n\u202e")).isEqualTo("pay\\u001b[2J\\u000a\\u202e");
        assertThat(TransactionId.printable("zahlung-\u00fc")).isEqualTo("zahlung-\u00fc");
    }

    @Test
    void shouldShowAgesInTwoUnits() {
        assertThat(TransactionPrinting.age(1_540)).isEqualTo("1.5s");
        assertThat(TransactionPrinting.age(192_000)).isEqualTo("3m 12s");
        assertThat(TransactionPrinting.age(7_260_000)).isEqualTo("2h 1m");
        assertThat(TransactionPrinting.age(93_600_000)).isEqualTo("1d 2h");
    }
}
