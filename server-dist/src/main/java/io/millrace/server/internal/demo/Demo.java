package io.millrace.server.internal.demo;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.server.internal.kafka.KafkaCluster;
import io.millrace.server.internal.kafka.KafkaLeg;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The product in a few seconds: a queue, a topic, Kafka's client beside JMS, a crash. It uses nothing of the broker but its process, and
 * nothing of the clients but {@code jakarta.jms} with the connection factory, and Kafka's.
 */
public final class Demo {
    private static final int QUEUE_MESSAGES = 10_000;
    private static final int TOPIC_MESSAGES = 2_000;
    private static final int CRASH_MESSAGES = 5_000;
    private static final long PATIENCE_MS = 30_000;
    private static final String BRIDGE = "demo.bridge";
    private static final String COLOUR = "colour";
    private static final String BODY = "x".repeat(1024);

    private final Path dataDirectory;
    private final int port;
    private final Report report;
    private final TimeSource time;

    public Demo(Path dataDirectory, int port, PrintWriter out, TimeSource time) {
        this.dataDirectory = dataDirectory;
        this.port = port;
        this.report = new Report(out, time);
        this.time = time;
    }

    /** How it went, and the broker that is left running; the caller closes it. */
    public record Result(boolean nothingLost, ServerProcess broker) {}

    public String url() {
        return "millrace://127.0.0.1:" + port;
    }

    /**
     * Runs the whole demo.
     *
     * @throws IOException when the broker does not start
     * @throws JMSException when a call of a JMS client fails for good
     * @throws InterruptedException when the thread is interrupted
     */
    public Result run() throws IOException, JMSException, InterruptedException {
        report.title("One broker, in a process of its own");
        ServerProcess broker = ServerProcess.start(dataDirectory, port);
        report.line(broker.readyLine());
        try (Connection connection = new MillraceConnectionFactory(url()).createConnection()) {
            connection.start();
            boolean good = queue(connection);
            good &= topic(connection);
            good &= kafka(connection);
            report.title("kill -9 in the middle of %,d persistent messages".formatted(CRASH_MESSAGES));
            CrashCourse crash = new CrashCourse(connection, broker);
            broker = crash.run();
            good &= crash.check().good();
            report.line("sent and confirmed: %,d".formatted(crash.confirmed()));
            report.line(crash.check().toString());
            report.title(good ? "Nothing was lost, nothing lost its order" : "SOMETHING WENT WRONG, see above");
            return new Result(good, broker);
        } catch (IOException | JMSException | InterruptedException | RuntimeException | Error failure) {
            broker.close();
            throw failure;
        }
    }

    private boolean queue(Connection connection) throws JMSException {
        report.title("A queue: %,d persistent messages of 1 KiB, each synced to disk before it is confirmed"
                .formatted(QUEUE_MESSAGES));
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = session.createQueue("demo.orders");
            sendAll(session, session.createProducer(queue), QUEUE_MESSAGES, "sent and stored");
            SequenceCheck check = new SequenceCheck(QUEUE_MESSAGES);
            Report.Watch watch = report.watch();
            receive(session.createConsumer(queue), check);
            watch.rate("received and acknowledged", check.count());
            return check.good();
        }
    }

    private boolean topic(Connection connection) throws JMSException {
        report.title("A topic: %,d messages to two subscribers".formatted(TOPIC_MESSAGES));
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Topic topic = session.createTopic("demo.prices");
            MessageConsumer first = session.createConsumer(topic);
            MessageConsumer second = session.createConsumer(topic);
            sendAll(session, session.createProducer(topic), TOPIC_MESSAGES, "published and stored");
            SequenceCheck[] checks = {new SequenceCheck(TOPIC_MESSAGES), new SequenceCheck(TOPIC_MESSAGES)};
            Report.Watch watch = report.watch();
            receive(first, checks[0]);
            receive(second, checks[1]);
            watch.rate("received by the two together", checks[0].count() + checks[1].count());
            return checks[0].good() && checks[1].good();
        }
    }

    /** One queue, two doors: each side reads what the other wrote, and the record is the same. */
    private boolean kafka(Connection connection) throws JMSException, InterruptedException {
        report.title("The same queue through Kafka's own client: JMS to Kafka, and Kafka to JMS");
        KafkaLeg kafka = new KafkaLeg(new KafkaCluster("127.0.0.1:" + port, Map.of()), time);
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue queue = session.createQueue(BRIDGE);
            TextMessage sent = session.createTextMessage("hello from JMS");
            sent.setStringProperty(COLOUR, "green");
            session.createProducer(queue).send(sent);
            Optional<KafkaLeg.Seen> seen = kafka.readFirst(BRIDGE, Duration.ofMillis(PATIENCE_MS));
            report.line("a Kafka consumer read: "
                    + seen.map(record -> "\"%s\", %s, at offset %d"
                                    .formatted(
                                            record.value(),
                                            record.colour().orElse("without its property"),
                                            record.offset()))
                            .orElse("NOTHING"));
            MessageConsumer consumer = session.createConsumer(queue);
            consumer.receive(PATIENCE_MS);

            long offset = kafka.send(BRIDGE, "hello from Kafka", "blue");
            Message received = consumer.receive(PATIENCE_MS);
            String body = received == null ? "NOTHING" : text(received);
            String colour = received == null ? "" : String.valueOf(received.getStringProperty(COLOUR));
            report.line("a Kafka producer wrote at offset %d, and a JMS consumer received: \"%s\", %s"
                    .formatted(offset, body, colour));
            return seen.filter(record -> record.value().equals("hello from JMS")
                                    && record.colour().equals(Optional.of("green")))
                            .isPresent()
                    && body.equals("hello from Kafka")
                    && colour.equals("blue");
        }
    }

    private static String text(Message message) throws JMSException {
        return message instanceof TextMessage text
                ? text.getText()
                : new String(message.getBody(byte[].class), StandardCharsets.UTF_8);
    }

    private void sendAll(Session session, MessageProducer producer, int count, String what) throws JMSException {
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        AsyncSender sender = new AsyncSender(session, producer, BODY);
        Report.Watch watch = report.watch();
        for (int number = 0; number < count; number++) {
            sender.send(number);
        }
        sender.await();
        watch.rate(what, sender.confirmed());
    }

    private static void receive(MessageConsumer consumer, SequenceCheck check) throws JMSException {
        while (!check.complete()) {
            Message message = consumer.receive(PATIENCE_MS);
            if (message == null) {
                return;
            }
            check.received(message.getIntProperty(AsyncSender.NUMBER), message.getJMSRedelivered());
        }
    }

    /** Sends, kills the broker half-way, starts it again on the same data, and receives what was sent. */
    private final class CrashCourse {
        private final Connection connection;
        private final ServerProcess victim;
        private final SequenceCheck check = new SequenceCheck(CRASH_MESSAGES);
        private int confirmed;

        CrashCourse(Connection connection, ServerProcess victim) {
            this.connection = connection;
            this.victim = victim;
        }

        SequenceCheck check() {
            return check;
        }

        int confirmed() {
            return confirmed;
        }

        ServerProcess run() throws IOException, JMSException, InterruptedException {
            try (Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                    Session receiving = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                Queue queue = sending.createQueue("demo.crash");
                AsyncSender sender = new AsyncSender(sending, sending.createProducer(queue), BODY);
                receiving.createConsumer(queue).setMessageListener(this::received);
                for (int number = 0; number < CRASH_MESSAGES / 2; number++) {
                    sender.send(number);
                }
                report.line("%,d sent, %,d of them confirmed, %,d received: kill -9 %d"
                        .formatted(CRASH_MESSAGES / 2, sender.confirmed(), check.count(), victim.pid()));
                victim.kill();
                Report.Watch watch = report.watch();
                ServerProcess next = ServerProcess.start(dataDirectory, port);
                try {
                    report.line("started again on the same data, ready %,d ms after the kill: %s"
                            .formatted(watch.elapsedMs(), next.readyLine()));
                    for (int number = CRASH_MESSAGES / 2; number < CRASH_MESSAGES; number++) {
                        sender.send(number);
                    }
                    sender.await();
                    confirmed = sender.confirmed();
                    awaitAllReceived(watch);
                    return next;
                } catch (JMSException | InterruptedException | RuntimeException | Error failure) {
                    next.close();
                    throw failure;
                }
            }
        }

        private void received(Message message) {
            try {
                check.received(message.getIntProperty(AsyncSender.NUMBER), message.getJMSRedelivered());
            } catch (JMSException unreadable) {
                throw new IllegalStateException("a demo message without its number", unreadable);
            }
            if (check.complete()) {
                synchronized (this) {
                    notifyAll();
                }
            }
        }

        private synchronized void awaitAllReceived(Report.Watch watch) throws InterruptedException {
            while (!check.complete() && watch.elapsedMs() < PATIENCE_MS) {
                wait(100);
            }
        }
    }
}
