package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue of which a message here and there is not acknowledged. */
class SparseQueueTest {

    private static final int MESSAGES = 100_000;
    private static final int ONE_IN = 10;
    private static final long PATIENCE_MS = 30_000;

    @TempDir
    private Path directory;

    private EmbeddedBroker start() {
        return EmbeddedBroker.builder()
                .directory(directory)
                .config("log.segment.bytes", "4000000")
                .config("log.retention.check.interval.ms", "200")
                .config("log.cleaner.backoff.ms", "200")
                .start();
    }

    @Test
    void shouldTakeNoMoreRoomThanWhatIsNotAcknowledgedAndKeepThat() throws JMSException, IOException {
        Set<String> kept;
        EmbeddedBroker broker = start();
        try {
            fill(broker);
            long before = bytes();
            try (Connection keeping = connect(broker, 4);
                    Session keeps = keeping.createSession(Session.CLIENT_ACKNOWLEDGE)) {
                keeping.start();
                kept = consumeAllButOneIn(broker, keeps.createConsumer(keeps.createQueue("sparse")));

                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(bytes()).isLessThan(before / ONE_IN * 3 / 2));
            }
        } finally {
            broker.kill();
        }

        try (EmbeddedBroker again = start();
                Connection connection = connect(again, 1_000);
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue("sparse"));
            Set<String> found = new HashSet<>();
            for (int i = 0; i < kept.size(); i++) {
                TextMessage message = (TextMessage) consumer.receive(PATIENCE_MS);
                assertThat(message).as("after " + i).isNotNull();
                assertThat(message.getJMSRedelivered()).isTrue();
                assertThat(found.add(message.getText())).isTrue();
            }
            assertThat(found).isEqualTo(kept);
            assertThat(consumer.receive(500)).isNull();
        }
    }

    private static Connection connect(EmbeddedBroker broker, int prefetch) throws JMSException {
        return new MillraceConnectionFactory(broker.url() + "?prefetch=" + prefetch).createConnection();
    }

    private static void fill(EmbeddedBroker broker) throws JMSException {
        List<Exception> failures = new CopyOnWriteArrayList<>();
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                // Closing the session waits for all of them.
            }

            @Override
            public void onException(Message message, Exception exception) {
                failures.add(exception);
            }
        };
        try (Connection connection = connect(broker, 1);
                Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue("sparse"));
            for (int i = 0; i < MESSAGES; i++) {
                producer.send(session.createTextMessage(i + "-" + "x".repeat(150)), listener);
            }
        }
        assertThat(failures).isEmpty();
    }

    private static Set<String> consumeAllButOneIn(EmbeddedBroker broker, MessageConsumer keeper) throws JMSException {
        Set<String> kept = new HashSet<>();
        try (Connection connection = connect(broker, 40);
                Session session = connection.createSession()) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue("sparse"));
            for (int i = 0; i < MESSAGES; i++) {
                boolean keeps = i % ONE_IN == 0;
                TextMessage message = (TextMessage) (keeps ? keeper : consumer).receive(PATIENCE_MS);
                assertThat(message).as("message " + i).isNotNull();
                if (keeps) {
                    kept.add(message.getText());
                }
            }
        }
        return kept;
    }

    private long bytes() throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.list(directory.resolve("sparse-0"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".log")).toList()) {
                try {
                    sum += Files.size(file);
                } catch (NoSuchFileException gone) {
                    // Removed while this looked.
                }
            }
        }
        return sum;
    }
}
