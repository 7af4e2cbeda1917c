package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Recorder;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.TimeUnit;

/** One client that sends and takes large messages, one at a time, as a fault tells it to. All is noted. Used by one thread. */
final class Bulk implements AutoCloseable {
    /** A queue that only this uses. */
    static final Place PLACE = Place.queue("verify.bulk");

    private static final int MESSAGE_BYTES = 128 << 10;

    /** "At once", on a machine that is busy otherwise. */
    private static final long AT_ONCE_MS = 5_000;

    private static final long PATIENCE_MS = 30_000;

    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;
    private final MessageConsumer consumer;
    private final Recorder recorder;
    private final TimeSource time;
    private final String name;
    private long sequence;

    private Bulk(Connection connection, Recorder recorder, TimeSource time, String name) throws JMSException {
        this.connection = connection;
        this.session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        this.producer = session.createProducer(PLACE.destination(session));
        this.consumer = session.createConsumer(PLACE.destination(session));
        this.recorder = recorder;
        this.time = time;
        this.name = name;
    }

    /**
     * Connects.
     *
     * @param name of the producer, unique in the trial
     */
    static Bulk open(String url, Recorder recorder, TimeSource time, String name) throws JMSException {
        Connection connection = new MillraceConnectionFactory(url).createConnection();
        try {
            connection.start();
            return new Bulk(connection, recorder, time, name);
        } catch (JMSException failed) {
            connection.close();
            throw failed;
        }
    }

    /**
     * Sends one message.
     *
     * @throws ScenarioFailedException if it fails in another way than by a full disk, or not at once
     */
    Outcome send() throws JMSException {
        sequence++;
        String id = name + '-' + sequence;
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[MESSAGE_BYTES]);
        message.setStringProperty(Sending.ID, id);
        recorder.sent(PLACE.name(), id, name, sequence, Outcome.UNKNOWN);
        Outcome outcome = send(message);
        recorder.sent(PLACE.name(), id, name, sequence, outcome);
        return outcome;
    }

    private Outcome send(Message message) {
        long startNs = time.nanoTime();
        try {
            producer.send(message);
            return Outcome.CONFIRMED;
        } catch (JMSException failed) {
            long tookMs = TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - startNs);
            if (!"disk_full".equals(failed.getErrorCode()) || tookMs > AT_ONCE_MS) {
                throw new ScenarioFailedException(
                        "a send to a full disk failed after " + tookMs + " ms, as " + failed.getErrorCode(), failed);
            }
            return Outcome.REFUSED;
        }
    }

    /**
     * Sends until it is refused.
     *
     * @return how many were confirmed
     * @throws ScenarioFailedException if it never is
     */
    int sendUntilRefused(int most) throws JMSException {
        for (int count = 0; count <= most; count++) {
            if (send() == Outcome.REFUSED) {
                return count;
            }
        }
        throw new ScenarioFailedException(most + " sends were confirmed, and the disk cannot hold them");
    }

    /**
     * Sends until it is confirmed.
     *
     * @return how long that took
     * @throws ScenarioFailedException if it takes too long
     */
    long sendUntilConfirmedMs() throws JMSException {
        long startNs = time.nanoTime();
        Stop pause = new Stop();
        while (send() != Outcome.CONFIRMED) {
            if (time.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS)) {
                throw new ScenarioFailedException(
                        "there is space again, and sends are still refused after " + PATIENCE_MS + " ms");
            }
            pause.await(50);
        }
        return TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - startNs);
    }

    /**
     * Takes messages and acknowledges each.
     *
     * @param most after so many it stops
     * @param waitMs when nothing comes for so long it stops
     * @return how many were taken
     * @throws ScenarioFailedException if an acknowledgement fails
     */
    int take(int most, long waitMs) throws JMSException {
        int count = 0;
        for (Message next = consumer.receive(waitMs); next != null; next = consumer.receive(waitMs)) {
            String id = next.getStringProperty(Sending.ID);
            recorder.received(PLACE.name(), id, next.getJMSRedelivered(), next.getIntProperty("JMSXDeliveryCount"));
            acknowledge(next, id);
            count++;
            if (count == most) {
                break;
            }
        }
        return count;
    }

    private void acknowledge(Message message, String id) {
        try {
            message.acknowledge();
            recorder.acknowledged(PLACE.name(), id, Outcome.CONFIRMED);
        } catch (JMSException failed) {
            recorder.acknowledged(PLACE.name(), id, Outcome.UNKNOWN);
            throw new ScenarioFailedException("an acknowledgement failed", failed);
        }
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
