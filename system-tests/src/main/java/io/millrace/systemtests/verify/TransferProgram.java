package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Moves messages from one place to another until it is killed, some in each transaction. Whatever goes wrong, it begins anew: what a transaction
 * is for.
 */
public final class TransferProgram {

    static final String FROM = "transfer.from";
    static final String TO = "transfer.to";

    private static final int MOST_IN_ONE = 20;
    private static final long WAIT_MS = 200;

    private final int port;
    private final String name;
    private final SplittableRandom random;

    private TransferProgram(int port, String name, long seed) {
        this.port = port;
        this.name = name;
        this.random = VerifyCommand.chance(seed);
    }

    /**
     * Runs for ever.
     *
     * @param args mode, port, name, seed
     */
    public static void main(String[] args) {
        TransferProgram program = new TransferProgram(Integer.parseInt(args[1]), args[2], Long.parseLong(args[3]));
        switch (TransferMode.valueOf(args[0])) {
            case JMS -> program.moveByJms();
            case KAFKA -> program.moveByKafka();
        }
    }

    private int some() {
        return 1 + random.nextInt(MOST_IN_ONE);
    }

    @SuppressWarnings("InfiniteLoop") // Killed from outside.
    private void moveByJms() {
        while (true) {
            try (Connection connection =
                    new MillraceConnectionFactory("millrace://127.0.0.1:" + port).createConnection()) {
                connection.start();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(session.createQueue(FROM));
                MessageProducer producer = session.createProducer(session.createQueue(TO));
                while (true) {
                    moveSome(session, consumer, producer);
                }
            } catch (JMSException again) {
                System.out.println(name + " begins anew: " + again);
            }
        }
    }

    private void moveSome(Session session, MessageConsumer consumer, MessageProducer producer) throws JMSException {
        int count = some();
        for (int i = 0; i < count; i++) {
            Message message = consumer.receive(i == 0 ? WAIT_MS : 1);
            if (message == null) {
                break;
            }
            producer.send(session.createTextMessage(((TextMessage) message).getText()));
        }
        if (random.nextInt(10) == 0) {
            session.rollback();
        } else {
            session.commit();
        }
    }

    @SuppressWarnings("InfiniteLoop") // Killed from outside.
    private void moveByKafka() {
        while (true) {
            try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                            consumerSettings(), new StringDeserializer(), new StringDeserializer());
                    KafkaProducer<String, String> producer =
                            new KafkaProducer<>(producerSettings(), new StringSerializer(), new StringSerializer())) {
                producer.initTransactions();
                consumer.subscribe(List.of(FROM));
                while (true) {
                    moveSome(consumer, producer);
                }
            } catch (KafkaException again) {
                System.out.println(name + " begins anew: " + again);
            }
        }
    }

    private Map<String, Object> consumerSettings() {
        return Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + port,
                "group.id",
                "transfer",
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest",
                "max.poll.records",
                MOST_IN_ONE,
                "session.timeout.ms",
                6_000,
                "heartbeat.interval.ms",
                1_000);
    }

    private Map<String, Object> producerSettings() {
        return Map.of(
                "bootstrap.servers", "127.0.0.1:" + port, "transactional.id", name, "transaction.timeout.ms", 10_000);
    }

    private void moveSome(KafkaConsumer<String, String> consumer, KafkaProducer<String, String> producer) {
        ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(WAIT_MS));
        if (records.isEmpty()) {
            return;
        }
        producer.beginTransaction();
        for (ConsumerRecord<String, String> record : records) {
            var _ = producer.send(new ProducerRecord<>(TO, record.value()));
        }
        producer.sendOffsetsToTransaction(records.nextOffsets(), consumer.groupMetadata());
        if (random.nextInt(10) == 0) {
            producer.abortTransaction();
            // What was rolled back is to come again.
            throw new KafkaException("rolled back by its own wish");
        }
        producer.commitTransaction();
    }
}
