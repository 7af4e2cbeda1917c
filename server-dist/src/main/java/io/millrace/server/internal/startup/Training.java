package io.millrace.server.internal.startup;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.server.internal.kafka.KafkaCluster;
import io.millrace.server.internal.kafka.KafkaTraining;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a startup cache is made from: a broker and clients, of JMS and of Kafka, that do a little of everything in one process. Everything that is loaded and
 * run here starts faster later, and the JVM compiles first what was used most here.
 */
public final class Training {
    private static final int MESSAGES = 300;
    private static final long PATIENCE_MS = 10_000;

    private Training() {}

    /**
     * Runs once through.
     *
     * @param commands is given the broker's {@code HOST:PORT} and does what the command line does with it
     * @throws StartupCacheException if a message was lost
     * @throws io.millrace.server.internal.kafka.KafkaCallException if Kafka's clients were refused something
     */
    public static void run(Consumer<String> commands) throws JMSException, InterruptedException {
        try (EmbeddedBroker broker =
                EmbeddedBroker.builder().temporaryDirectory().start()) {
            try (Connection connection = new MillraceConnectionFactory(broker.url()).createConnection()) {
                connection.start();
                for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE}) {
                    try (Session session = connection.createSession(mode)) {
                        exchange(session, session.createQueue("training"));
                        exchange(session, session.createTopic("training.news"));
                    }
                }
            }
            String server = broker.url().substring("millrace://".length());
            new KafkaTraining(new KafkaCluster(server, Map.of())).run();
            commands.accept(server);
        }
    }

    private static void exchange(Session session, Destination destination) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(destination);
                MessageProducer producer = session.createProducer(destination)) {
            for (int i = 0; i < MESSAGES; i++) {
                Message message = i % 2 == 0 ? session.createTextMessage("text " + i) : bytes(session, i);
                message.setIntProperty("number", i);
                if (i % 3 == 0) {
                    producer.send(message);
                } else {
                    producer.send(message, new Unobserved());
                }
            }
            for (int i = 0; i < MESSAGES; i++) {
                Message message = consumer.receive(PATIENCE_MS);
                if (message == null) {
                    throw new StartupCacheException("the training run missed message " + i + " of " + destination);
                }
                if (session.getAcknowledgeMode() == Session.CLIENT_ACKNOWLEDGE) {
                    message.acknowledge();
                }
            }
        }
    }

    private static Message bytes(Session session, int number) throws JMSException {
        var message = session.createBytesMessage();
        message.writeInt(number);
        return message;
    }

    /** A send that failed is a message that is missed. */
    private static final class Unobserved implements CompletionListener {
        @Override
        public void onCompletion(Message message) {}

        @Override
        public void onException(Message message, Exception exception) {}
    }
}
