package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.frame.DestinationSummary;
import io.millrace.wire.frame.TransactionDecision;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TransactionRolledBackException;
import java.time.Duration;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Who may log in and who may do what (Jakarta Messaging 3.1, 6.1.1, 6.3.1, 8.7), by the access control lists that Kafka clients have too: they are
 * set with Kafka's client here.
 */
class JmsSecurityTest {

    private static final long PATIENCE_MS = 10_000;
    private static final long MOMENT_MS = 300;

    private static EmbeddedBroker broker;
    private static Admin lists;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0,OPEN://127.0.0.1:0,CLOSED://127.0.0.1:0")
                .config("listener.security.protocol.map", "OPEN:PLAINTEXT,CLOSED:PLAINTEXT")
                .config("listener.name.closed.anonymous.enabled", "false")
                .config("sasl.enabled.mechanisms", "SCRAM-SHA-512,PLAIN")
                .config(
                        "plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_root=\"r\" user_ann=\"a\""
                                + " user_bob=\"b\" user_carl=\"c\" user_dora=\"d\" user_emil=\"e\" user_fred=\"f\""
                                + " user_anonymous=\"a\";")
                .config("authorizer.enabled", "true")
                .config("super.users", "User:root")
                .start();
        lists = Admin.create(Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + broker.port("SASL_PLAINTEXT"),
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"root\" password=\"r\";"));
    }

    @AfterAll
    static void stopBroker() {
        lists.close();
        broker.close();
    }

    private static AclBinding entry(
            String user, AclOperation operation, ResourceType type, String name, AclPermissionType permission) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:" + user, "*", operation, permission));
    }

    private static AclBinding allow(String user, AclOperation operation, ResourceType type, String name)
            throws Exception {
        AclBinding allowed = entry(user, operation, type, name, AclPermissionType.ALLOW);
        lists.createAcls(List.of(allowed)).all().get();
        return allowed;
    }

    private static void withdraw(AclBinding binding) throws Exception {
        lists.deleteAcls(List.of(binding.toFilter())).all().get();
    }

    private static MillraceConnectionFactory factory(String listener) {
        return new MillraceConnectionFactory("millrace://127.0.0.1:" + broker.port(listener));
    }

    private static Connection connect(String user) throws JMSException {
        Connection connection = factory("SASL_PLAINTEXT").createConnection(user, user.substring(0, 1));
        connection.start();
        return connection;
    }

    private static MillraceAdmin admin(String user) {
        return MillraceAdmin.connect("millrace://127.0.0.1:" + broker.port("SASL_PLAINTEXT") + "?user=" + user
                + "&password=" + user.charAt(0));
    }

    private static void create(DestinationKind kind, String... names) {
        try (MillraceAdmin root = admin("root")) {
            for (String name : names) {
                root.create(kind, name);
            }
        }
    }

    private static void assertDenied(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOf(JMSSecurityException.class)
                .satisfies(refused -> assertThat(refused.getMessage()).contains(words));
    }

    private static void send(Session session, String queue, String text) throws JMSException {
        try (MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            producer.send(session.createTextMessage(text));
        }
    }

    private static String receive(Session session, String queue) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            Message message = consumer.receive(PATIENCE_MS);
            return message == null ? "" : ((TextMessage) message).getText();
        }
    }

    // ---- 6.1.1: logging in

    @Test
    void shouldRefuseAWrongPasswordAndAnUnknownUserAlikeWhenConnecting() {
        MillraceConnectionFactory factory = factory("SASL_PLAINTEXT");

        for (String user : List.of("ann", "nobody", "n".repeat(2_000), "line\nbreak", "User:ann", "Jürgen 🦆")) {
            assertThatThrownBy(() -> factory.createConnection(user, "guessed"))
                    .isInstanceOf(JMSSecurityException.class)
                    .satisfies(refused -> assertThat(refused.getMessage())
                            .endsWith("wrong user or password")
                            .doesNotContain("guessed"));
            assertThatThrownBy(() -> factory.createContext(user, "guessed"))
                    .isInstanceOf(JMSSecurityRuntimeException.class);
        }
    }

    @Test
    void shouldRefuseAUserNameThatNobodyCanHave() {
        assertDenied(
                () -> factory("SASL_PLAINTEXT").createConnection("n".repeat(65_536), "guessed"),
                "user or password are too long");
    }

    @Test
    void shouldRefuseWhoDoesNotLogInWhereThatIsWanted() {
        assertDenied(() -> factory("SASL_PLAINTEXT").createConnection(), "user and a password");
        assertThatThrownBy(() -> factory("SASL_PLAINTEXT").createContext())
                .isInstanceOf(JMSSecurityRuntimeException.class);
    }

    @Test
    void shouldRefuseClientsWithoutALoginWhereAnonymousOnesAreNotEnabled() {
        assertDenied(() -> factory("CLOSED").createConnection(), "anonymous.enabled");
        assertDenied(() -> factory("CLOSED").createConnection("ann", "a"), "anonymous.enabled");
        assertThatThrownBy(() -> factory("CLOSED").createContext()).isInstanceOf(JMSSecurityRuntimeException.class);

        try (Admin kafka = Admin.create(Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + broker.port("CLOSED"),
                "request.timeout.ms",
                "1000",
                "default.api.timeout.ms",
                "2000"))) {
            assertThatThrownBy(() -> kafka.describeCluster().nodes().get()).hasMessageContaining("imed out");
        }
    }

    @Test
    void shouldGiveWhoDoesNotLogInTheRightsOfAnonymous() throws Exception {
        create(DestinationKind.QUEUE, "for-anybody");
        allow("ANONYMOUS", AclOperation.WRITE, ResourceType.TOPIC, "for-anybody");

        try (Connection open = factory("OPEN").createConnection();
                Connection named = connect("anonymous")) {
            Session session = open.createSession();
            send(session, "for-anybody", "anonymous");
            assertDenied(
                    () -> session.createConsumer(session.createQueue("for-anybody")),
                    "User:ANONYMOUS may not READ the topic for-anybody");
            // A user of this name is somebody else.
            Session other = named.createSession();
            assertDenied(() -> send(other, "for-anybody", "named"), "User:anonymous may not DESCRIBE");
        }
    }

    // ---- 6.3.1: rights on destinations

    @Test
    void shouldLetSendWhoMayWriteAndConsumeWhoMayRead() throws Exception {
        create(DestinationKind.QUEUE, "shared", "hidden");
        allow("ann", AclOperation.WRITE, ResourceType.TOPIC, "shared");
        allow("bob", AclOperation.READ, ResourceType.TOPIC, "shared");

        try (Connection sender = connect("ann");
                Connection receiver = connect("bob")) {
            Session writing = sender.createSession();
            Session reading = receiver.createSession();
            Queue shared = writing.createQueue("shared");
            assertDenied(() -> send(reading, "shared", "forged"), "User:bob may not WRITE the topic shared");
            assertDenied(() -> writing.createConsumer(shared), "User:ann may not READ the topic shared");
            assertDenied(() -> browse(writing, shared), "User:ann may not READ the topic shared");
            assertThat(browse(reading, reading.createQueue("shared"))).isZero();
            assertDenied(() -> send(writing, "hidden", "lost"), "User:ann may not DESCRIBE the topic hidden");
            assertDenied(() -> reading.createConsumer(reading.createQueue("hidden")), "may not", "hidden");
            assertDenied(() -> send(writing, "new-one", "lost"), "User:ann may not CREATE the topic new-one");
            // There is no telling whether there is such a queue.
            assertDenied(() -> reading.createConsumer(reading.createQueue("none")), "User:bob may not", "none");

            // Sessions and connections go on.
            send(writing, "shared", "first");
            assertThat(receive(reading, "shared")).isEqualTo("first");
        }
    }

    @Test
    void shouldLetWhoMaySendGetRepliesByATemporaryQueue() throws Exception {
        create(DestinationKind.QUEUE, "asked");
        allow("ann", AclOperation.WRITE, ResourceType.TOPIC, "asked");
        allow("bob", AclOperation.READ, ResourceType.TOPIC, "asked");

        try (Connection asking = connect("ann");
                Connection answering = connect("bob")) {
            Session asks = asking.createSession();
            TemporaryQueue replies = asks.createTemporaryQueue();
            MessageConsumer consumer = asks.createConsumer(replies);
            TextMessage question = asks.createTextMessage("who?");
            question.setJMSReplyTo(replies);
            asks.createProducer(asks.createQueue("asked")).send(question);

            // Lists that change are looked at for consumers that are open.
            allow("bob", AclOperation.DESCRIBE, ResourceType.TOPIC, "asked");
            Session answers = answering.createSession();
            try (MessageConsumer asked = answers.createConsumer(answers.createQueue("asked"))) {
                Message received = asked.receive(PATIENCE_MS);
                answers.createProducer(received.getJMSReplyTo()).send(answers.createTextMessage("bob"));
            }
            assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo("bob");
        }
    }

    private static int browse(Session session, Queue queue) throws JMSException {
        try (QueueBrowser browser = session.createBrowser(queue)) {
            int messages = 0;
            for (Enumeration<?> found = browser.getEnumeration(); found.hasMoreElements(); found.nextElement()) {
                messages++;
            }
            return messages;
        }
    }

    @Test
    void shouldCreateWhereThatIsAllowed() throws Exception {
        allow("ann", AclOperation.CREATE, ResourceType.TOPIC, "made-by-ann");
        allow("ann", AclOperation.WRITE, ResourceType.TOPIC, "made-by-ann");

        try (Connection connection = connect("ann")) {
            send(connection.createSession(), "made-by-ann", "hello");
        }
        try (MillraceAdmin root = admin("root")) {
            assertThat(root.describe(Optional.empty(), "made-by-ann").kind()).isEqualTo(DestinationKind.QUEUE);
        }
    }

    @Test
    void shouldAskForRightsOnSubscriptionsAsGroups() throws Exception {
        create(DestinationKind.TOPIC, "prices");
        allow("carl", AclOperation.READ, ResourceType.TOPIC, "prices");
        allow("carl", AclOperation.READ, ResourceType.GROUP, "desk.daily");
        AclBinding team = allow("carl", AclOperation.READ, ResourceType.GROUP, "team");

        try (Connection connection = factory("SASL_PLAINTEXT").createConnection("carl", "c");
                Connection unnamed = connect("carl")) {
            connection.setClientID("desk");
            connection.start();
            Session session = connection.createSession();
            Topic prices = session.createTopic("prices");
            session.createConsumer(prices).close();
            session.createDurableConsumer(prices, "daily").close();
            assertDenied(
                    () -> session.createDurableConsumer(prices, "weekly"),
                    "User:carl may not READ the group desk.weekly");
            assertDenied(() -> session.createSharedConsumer(prices, "team"), "the group desk.team");
            assertDenied(() -> session.unsubscribe("daily"), "User:carl may not DELETE the group desk.daily");
            allow("carl", AclOperation.DELETE, ResourceType.GROUP, "desk.daily");
            session.unsubscribe("daily");

            Session other = unnamed.createSession();
            other.createSharedConsumer(other.createTopic("prices"), "team").close();
            MessageConsumer durable = other.createSharedDurableConsumer(other.createTopic("prices"), "team");
            withdraw(team);
            assertDenied(() -> untilRefused(durable), "User:carl may not READ the group team");
        }
    }

    private static void untilRefused(MessageConsumer consumer) throws JMSException {
        long end = System.nanoTime() + Duration.ofMillis(PATIENCE_MS).toNanos();
        while (System.nanoTime() < end) {
            consumer.receive(MOMENT_MS);
        }
    }

    @Test
    void shouldLeaveOutOfListsWhatOneMayNotSee() throws Exception {
        create(DestinationKind.QUEUE, "seen", "unseen");
        allow("dora", AclOperation.DESCRIBE, ResourceType.TOPIC, "seen");

        try (MillraceAdmin dora = admin("dora");
                MillraceAdmin root = admin("root")) {
            assertThat(dora.list(Optional.empty()))
                    .extracting(DestinationSummary::name)
                    .containsExactly("seen");
            assertThat(root.list(Optional.empty()))
                    .extracting(DestinationSummary::name)
                    .contains("seen", "unseen");
            var seen = dora.describe(Optional.empty(), "seen");
            assertThat(dora.describeLog(seen.logId()).config()).isEmpty();
            assertThat(root.describeLog(seen.logId()).config()).isNotEmpty();
        }
    }

    @Test
    void shouldLetAdministerWhoMay() throws Exception {
        create(DestinationKind.QUEUE, "kept");
        allow("dora", AclOperation.DESCRIBE, ResourceType.TOPIC, "kept");

        try (MillraceAdmin dora = admin("dora")) {
            var kept = dora.describe(Optional.empty(), "kept");
            Map<String, Optional<String>> change = Map.of("retention.ms", Optional.of("1000000"));
            assertAdminDenied(() -> dora.delete(DestinationKind.QUEUE, "kept"), "DELETE the topic kept");
            assertAdminDenied(() -> dora.alter(DestinationKind.QUEUE, "kept", change), "ALTER_CONFIGS the topic kept");
            assertAdminDenied(() -> dora.alter(DestinationKind.QUEUE, "kept", 2, Map.of()), "ALTER the topic kept");
            assertAdminDenied(() -> dora.purgeQueue("kept", false), "DELETE the topic kept");
            assertThat(dora.purgeQueue("kept", true).removed()).isZero();
            assertAdminDenied(() -> dora.readLog(kept.logId(), 0, 0, 1_000), "READ the topic kept");
            assertAdminDenied(() -> dora.create(DestinationKind.QUEUE, "more"), "CREATE the topic more");
            assertAdminDenied(() -> dora.listTransactions(List.of(), List.of(), Duration.ZERO), "DESCRIBE the cluster");
            assertAdminDenied(() -> dora.describeTransaction("x"), "DESCRIBE the cluster");
            assertAdminDenied(() -> dora.decideTransaction("x", TransactionDecision.COMMIT), "ALTER the cluster");

            allow("dora", AclOperation.ALL, ResourceType.TOPIC, "kept");
            allow("dora", AclOperation.ALL, ResourceType.CLUSTER, "kafka-cluster");
            dora.alter(DestinationKind.QUEUE, "kept", change);
            dora.create(DestinationKind.QUEUE, "more");
            assertThat(dora.listTransactions(List.of(), List.of(), Duration.ZERO)
                            .transactions())
                    .isNotNull();
            dora.delete(DestinationKind.QUEUE, "kept");
        }
    }

    private static void assertAdminDenied(ThrowingCallable call, String words) {
        assertThatThrownBy(call)
                .satisfies(refused -> assertThat(refused.getMessage()).contains("User:dora may not " + words));
    }

    // ---- rights that end

    /** A consumer whose right ends is told once, and what it held goes to others: it does not try again and again. */
    @Test
    void shouldEndDeliveriesWhenTheRightToReadEnds() throws Exception {
        create(DestinationKind.QUEUE, "withdrawn");
        AclBinding reading = allow("emil", AclOperation.READ, ResourceType.TOPIC, "withdrawn");
        List<JMSException> heard = new CopyOnWriteArrayList<>();
        List<String> got = new CopyOnWriteArrayList<>();

        try (Connection connection = connect("emil");
                Connection root = connect("root")) {
            connection.setExceptionListener(heard::add);
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            session.createConsumer(session.createQueue("withdrawn"))
                    .setMessageListener(message -> got.add(message.toString()));
            Session sending = root.createSession();
            send(sending, "withdrawn", "before");
            await().until(() -> got.size() == 1);

            withdraw(reading);
            await().until(() -> !heard.isEmpty());
            send(sending, "withdrawn", "after");

            assertThat(heard)
                    .hasSize(1)
                    .allSatisfy(told -> assertThat(told)
                            .isInstanceOf(JMSSecurityException.class)
                            .hasMessageContaining("User:emil may not READ the topic withdrawn"));
            assertThat(receive(sending, "withdrawn")).isEqualTo("before");
            assertThat(receive(sending, "withdrawn")).isEqualTo("after");
            assertThat(got).hasSize(1);
            assertThat(heard).hasSize(1);

            // The session can be used; the right that comes back is taken up by a new consumer.
            allow("emil", AclOperation.READ, ResourceType.TOPIC, "withdrawn");
            send(sending, "withdrawn", "again");
            Session next = connection.createSession();
            assertThat(receive(next, "withdrawn")).isEqualTo("again");
        }
    }

    @Test
    void shouldRollBackATransactionOfWhichASendWasForbidden() throws Exception {
        create(DestinationKind.QUEUE, "first", "second");
        allow("fred", AclOperation.WRITE, ResourceType.TOPIC, "first");
        AclBinding second = allow("fred", AclOperation.WRITE, ResourceType.TOPIC, "second");

        try (Connection connection = connect("fred");
                Connection root = connect("root")) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer toFirst = session.createProducer(session.createQueue("first"));
            MessageProducer toSecond = session.createProducer(session.createQueue("second"));
            toFirst.send(session.createTextMessage("whole"));
            toSecond.send(session.createTextMessage("whole"));
            session.commit();

            withdraw(second);
            toFirst.send(session.createTextMessage("half"));
            assertThatThrownBy(() -> {
                        toSecond.send(session.createTextMessage("half"));
                        session.commit();
                    })
                    .isInstanceOfAny(JMSSecurityException.class, TransactionRolledBackException.class)
                    .hasMessageContaining("User:fred may not WRITE the topic second");

            session.rollback();
            toFirst.send(session.createTextMessage("next"));
            session.commit();

            Session reading = root.createSession();
            assertThat(receive(reading, "first")).isEqualTo("whole");
            assertThat(receive(reading, "first")).isEqualTo("next");
            assertThat(receive(reading, "second")).isEqualTo("whole");
            try (MessageConsumer rest = reading.createConsumer(reading.createQueue("second"))) {
                assertThat(rest.receive(MOMENT_MS)).isNull();
            }
        }
    }
}
