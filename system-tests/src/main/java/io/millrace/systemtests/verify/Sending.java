package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Recorder;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.Semaphore;

/**
 * One session that sends numbered messages to one destination until it is told to stop. Each is noted twice: as unknown before
 * it is sent, since its sender may be killed before it has the answer, and then with its outcome.
 */
final class Sending implements Runnable {
    static final String ID = "checkId";
    private static final int MOST_OUTSTANDING = 50;

    /** NON_PERSISTENT messages wait for nothing: more than these would only fill the disk. */
    private static final int UNPROMISED_PAUSE_MS = 5;

    /** At most 300 messages a second of each sender: with these, the history of ten minutes fits into the memory of a trial. */
    private static final int MESSAGES_PER_PAUSE = 10;

    private static final int PAUSE_MS = 33;

    /** Who was refused tries again after this. */
    private static final int REFUSED_PAUSE_MS = 20;

    private final ConnectionFactory factory;
    private final Task.Send task;
    private final Recorder recorder;
    private final Stop stop;
    private final Semaphore outstanding = new Semaphore(MOST_OUTSTANDING);
    private volatile boolean refused;

    Sending(ConnectionFactory factory, Task.Send task, Recorder recorder, Stop stop) {
        this.factory = factory;
        this.task = task;
        this.recorder = recorder;
        this.stop = stop;
    }

    /** What every message says, so that a receiver knows whether it is whole. */
    static String text(String id) {
        return ("message " + id + ' ').repeat(8);
    }

    @Override
    public void run() {
        boolean begun = false;
        try (Connection connection = Connecting.connect(factory, "", stop);
                Session session = Connecting.retry(() -> connection.createSession(Session.AUTO_ACKNOWLEDGE), stop)) {
            Destination destination = task.place().destination(session);
            MessageProducer producer = Connecting.retry(() -> session.createProducer(destination), stop);
            begun = true;
            if (task.style() == Task.Style.UNPROMISED) {
                producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            }
            for (long sequence = 1; !stop.isAsked(); sequence++) {
                String id = task.name() + "-" + sequence;
                TextMessage message = session.createTextMessage(text(id));
                message.setStringProperty(ID, id);
                note(id, sequence, Outcome.UNKNOWN);
                send(producer, message, id, sequence);
                if (refused) {
                    refused = false;
                    stop.await(REFUSED_PAUSE_MS);
                } else if (sequence % MESSAGES_PER_PAUSE == 0) {
                    stop.await(PAUSE_MS);
                }
            }
            outstanding.acquireUninterruptibly(MOST_OUTSTANDING);
        } catch (JMSException gone) {
            if (!begun && stop.isAsked()) {
                // Told to stop before it got in: the broker was away for all its life.
                return;
            }
            throw new ScenarioFailedException("sender " + task.name() + " cannot go on", gone);
        }
    }

    private void send(MessageProducer producer, TextMessage message, String id, long sequence) throws JMSException {
        switch (task.style()) {
            case SYNC -> note(id, sequence, sendSync(producer, message, Outcome.CONFIRMED));
            case ASYNC -> sendAsync(producer, message, id, sequence);
            case UNPROMISED -> {
                note(id, sequence, sendSync(producer, message, Outcome.UNPROMISED));
                stop.await(UNPROMISED_PAUSE_MS);
            }
        }
    }

    private void note(String id, long sequence, Outcome outcome) {
        recorder.sent(task.place().name(), id, task.name(), sequence, outcome);
    }

    private Outcome sendSync(MessageProducer producer, TextMessage message, Outcome good) throws JMSException {
        try {
            producer.send(message);
            return good;
        } catch (IllegalStateException closed) {
            throw closed;
        } catch (JMSException failed) {
            return failed(failed);
        }
    }

    /** A full disk is found before anything is written; after any other failure the message may be there. */
    private Outcome failed(JMSException failure) {
        refused = true;
        return "disk_full".equals(failure.getErrorCode()) ? Outcome.REFUSED : Outcome.UNKNOWN;
    }

    private void sendAsync(MessageProducer producer, TextMessage message, String id, long sequence)
            throws JMSException {
        outstanding.acquireUninterruptibly();
        try {
            producer.send(message, listener(id, sequence));
        } catch (IllegalStateException closed) {
            throw closed;
        } catch (JMSException notBegun) {
            // As when the broker does not answer where the queue is. The listener is not called then.
            note(id, sequence, failed(notBegun));
            outstanding.release();
        }
    }

    private CompletionListener listener(String id, long sequence) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message stored) {
                ended(Outcome.CONFIRMED);
            }

            @Override
            public void onException(Message unsent, Exception exception) {
                ended(exception instanceof JMSException failure ? failed(failure) : Outcome.UNKNOWN);
            }

            private void ended(Outcome outcome) {
                note(id, sequence, outcome);
                outstanding.release();
            }
        };
    }
}
