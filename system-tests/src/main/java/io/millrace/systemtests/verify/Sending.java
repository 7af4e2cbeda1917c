package io.millrace.systemtests.verify;

import io.millrace.testkit.history.History;
import io.millrace.testkit.history.Operation.Outcome;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/** One session that sends numbered persistent messages to one destination until it is told to stop. */
final class Sending implements Runnable {
    static final String ID = "checkId";
    private static final int MOST_OUTSTANDING = 50;

    private final ConnectionFactory factory;
    private final Place place;
    private final String name;
    private final boolean async;
    private final History history;
    private final BooleanSupplier stopped;
    private final Semaphore outstanding = new Semaphore(MOST_OUTSTANDING);

    Sending(
            ConnectionFactory factory,
            Place place,
            String name,
            boolean async,
            History history,
            BooleanSupplier stopped) {
        this.factory = factory;
        this.place = place;
        this.name = name;
        this.async = async;
        this.history = history;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Destination destination = place.destination(session);
            MessageProducer producer = session.createProducer(destination);
            for (long sequence = 1; !stopped.getAsBoolean(); sequence++) {
                String id = name + "-" + sequence;
                TextMessage message = session.createTextMessage("message " + id);
                message.setStringProperty(ID, id);
                if (async) {
                    sendAsync(producer, message, id, sequence);
                } else {
                    sendSync(producer, message, id, sequence);
                }
            }
            outstanding.acquireUninterruptibly(MOST_OUTSTANDING);
        } catch (JMSException gone) {
            throw new ScenarioFailedException("sender " + name + " cannot go on", gone);
        }
    }

    private void sendSync(MessageProducer producer, TextMessage message, String id, long sequence) {
        Outcome outcome;
        try {
            producer.send(message);
            outcome = Outcome.CONFIRMED;
        } catch (JMSException unclear) {
            outcome = Outcome.UNKNOWN;
        }
        history.sent(place.name(), id, name, sequence, outcome);
    }

    private void sendAsync(MessageProducer producer, TextMessage message, String id, long sequence)
            throws JMSException {
        outstanding.acquireUninterruptibly();
        producer.send(message, new CompletionListener() {
            @Override
            public void onCompletion(Message stored) {
                ended(Outcome.CONFIRMED);
            }

            @Override
            public void onException(Message failed, Exception exception) {
                ended(Outcome.UNKNOWN);
            }

            private void ended(Outcome outcome) {
                history.sent(place.name(), id, name, sequence, outcome);
                outstanding.release();
            }
        });
    }
}
