package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A message that was not handled waits longer and longer before it comes again, while others pass (a setting beyond the specification). */
class RedeliveryDelayTest {

    private static final long DELAY_MS = 1_000;
    private static final long PATIENCE_MS = 30_000;

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("redelivery.delay.ms", String.valueOf(DELAY_MS))
                .config("redelivery.delay.multiplier", "2")
                .config("redelivery.delay.jitter", "0")
                .start();
        factory = new MillraceConnectionFactory(broker.url());
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private record Seen(String text, int count, long atNs) {

        long msAfter(Seen other) {
            return (atNs - other.atNs) / 1_000_000;
        }
    }

    private static Seen seen(Message message) throws JMSException {
        return new Seen(message.getBody(String.class), message.getIntProperty("JMSXDeliveryCount"), System.nanoTime());
    }

    private void send(String... texts) {
        try (JMSContext context = factory.createContext()) {
            Queue queue = context.createQueue("work");
            for (String text : texts) {
                context.createProducer().send(queue, text);
            }
        }
    }

    @Test
    void shouldLetALaterMessagePassOneThatWasRolledBackAndBringThatLaterEachTime() throws JMSException {
        send("poison", "good");
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue("work"));
            Seen first = seen(consumer.receive(PATIENCE_MS));
            assertThat(first.text).isEqualTo("poison");
            session.rollback();

            assertThat(seen(consumer.receive(PATIENCE_MS)).text).isEqualTo("good");
            session.commit();
            Seen second = seen(consumer.receive(PATIENCE_MS));
            session.rollback();
            Seen third = seen(consumer.receive(PATIENCE_MS));
            session.commit();

            assertThat(List.of(second.text, third.text)).containsOnly("poison");
            assertThat(List.of(second.count, third.count)).containsExactly(2, 3);
            assertThat(second.msAfter(first)).isGreaterThanOrEqualTo(DELAY_MS);
            assertThat(third.msAfter(second)).isGreaterThanOrEqualTo(2 * DELAY_MS);
        }
    }

    @Test
    void shouldGiveAFailedListenerItsMessageLater() throws JMSException {
        List<Seen> seen = new CopyOnWriteArrayList<>();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            session.createConsumer(session.createQueue("work")).setMessageListener(message -> {
                Seen now = seenUnchecked(message);
                seen.add(now);
                if (now.text.equals("poison") && now.count == 1) {
                    throw new IllegalStateException("on purpose");
                }
            });
            connection.start();
            send("poison", "good");

            await().atMost(Duration.ofSeconds(30)).until(() -> seen.size() == 3);
        }
        assertThat(seen.stream().map(Seen::text)).containsExactly("poison", "good", "poison");
        assertThat(seen.get(2).msAfter(seen.get(0))).isGreaterThanOrEqualTo(DELAY_MS);
    }

    private static Seen seenUnchecked(Message message) {
        try {
            return seen(message);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldGoByWhatTheQueueSaysAndByWhatIsChangedLater() throws JMSException {
        try (MillraceAdmin admin = MillraceAdmin.connect(broker.url())) {
            admin.create(DestinationKind.QUEUE, "work", 1, Map.of("redelivery.delay.ms", "0"));
            send("poison", "good");
            try (Connection connection = factory.createConnection();
                    Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
                connection.start();
                MessageConsumer consumer = session.createConsumer(session.createQueue("work"));
                assertThat(seen(consumer.receive(PATIENCE_MS)).text).isEqualTo("poison");
                session.recover();
                assertThat(seen(consumer.receive(PATIENCE_MS)))
                        .extracting(Seen::text, Seen::count)
                        .as("at once, in its place")
                        .containsExactly("poison", 2);

                admin.alter(
                        DestinationKind.QUEUE,
                        "work",
                        Map.of("redelivery.delay.ms", Optional.of(String.valueOf(DELAY_MS))));
                session.recover();

                assertThat(seen(consumer.receive(PATIENCE_MS)).text).isEqualTo("good");
                assertThat(seen(consumer.receive(PATIENCE_MS)))
                        .extracting(Seen::text, Seen::count)
                        .containsExactly("poison", 3);
            }
        }
    }
}
