package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.systemtests.verify.Fare.Sample;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How the good clients fare while others mean no good: what the load does in a second, and how long the requests of one client take that
 * sends, receives and acknowledges one message after the other, and opens a further connection now and then. Begins with how it is before
 * the others come; {@link #judge} fails when it got too bad. Used by one thread.
 */
final class Bystander implements AutoCloseable {
    private static final Place PLACE = Place.queue("verify.bystander");

    private static final long USUAL_MS = 4_000;
    private static final long SAMPLE_MS = 500;

    private static final long PAUSE_MS = 50;
    private static final int REQUESTS_PER_CONNECTION = 20;

    private final Load load;
    private final String url;
    private final Stop stop = new Stop();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("bystander-", 0).daemon().factory());
    private final double usualPerSecond;
    private final Future<List<Sample>> samples;
    private final Future<Long> longestMs;

    private Bystander(Load load, String url, double usualPerSecond) {
        this.load = load;
        this.url = url;
        this.usualPerSecond = usualPerSecond;
        this.samples = threads.submit(this::sample);
        this.longestMs = threads.submit(this::ask);
    }

    /** Sees how it is without bad clients, and goes on watching. */
    static Bystander watch(Fault.Stage stage) throws InterruptedException {
        Load load = stage.load();
        return new Bystander(load, "millrace://127.0.0.1:" + stage.broker().port(), perSecond(load));
    }

    private static double perSecond(Load load) throws InterruptedException {
        Sample before = new Sample(load.nanoTime(), load.operations());
        load.work(USUAL_MS);
        return before.perSecondUntil(new Sample(load.nanoTime(), load.operations()));
    }

    private List<Sample> sample() {
        List<Sample> taken = new ArrayList<>();
        while (!stop.isAsked()) {
            taken.add(new Sample(load.nanoTime(), load.operations()));
            stop.await(SAMPLE_MS);
        }
        return taken;
    }

    /** Returns the longest time that anything took. */
    private long ask() throws JMSException {
        long longestNs = 0;
        MillraceConnectionFactory factory = new MillraceConnectionFactory(url);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(PLACE.destination(session));
                MessageConsumer consumer = session.createConsumer(PLACE.destination(session))) {
            connection.start();
            for (int count = 1; !stop.isAsked(); count++) {
                long startNs = load.nanoTime();
                producer.send(session.createMessage());
                Message message = consumer.receive(Fare.LONGEST_MS);
                if (message == null) {
                    throw new JMSException("nothing was received within " + Fare.LONGEST_MS + " ms of a send");
                }
                message.acknowledge();
                if (count % REQUESTS_PER_CONNECTION == 0) {
                    factory.createConnection().close();
                }
                longestNs = Math.max(longestNs, load.nanoTime() - startNs);
                stop.await(PAUSE_MS);
            }
        }
        return TimeUnit.NANOSECONDS.toMillis(longestNs);
    }

    /**
     * Ends the watch; the bad clients are still there.
     *
     * @throws ScenarioFailedException if a request failed
     */
    Fare end(String under) throws InterruptedException {
        stop.ask();
        return Fare.of(usualPerSecond, end(samples, under), end(longestMs, under));
    }

    /**
     * Judges when the bad clients are gone. If it was bad, it is seen whether it is no better without them, as on a machine that has got
     * other work meanwhile.
     *
     * @return how it was
     * @throws ScenarioFailedException if the load's work collapsed, or a request took too long
     */
    String judge(String under, Fare seen) throws InterruptedException {
        Fare fare = seen.isGood() ? seen : seen.comparedTo(perSecond(load));
        if (!fare.isGood()) {
            throw new ScenarioFailedException("good clients suffered from bad ones (" + under + "): " + fare);
        }
        return fare.toString();
    }

    private static <T> T end(Future<T> part, String under) throws InterruptedException {
        try {
            return part.get(Fare.LONGEST_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException stuck) {
            throw new ScenarioFailedException(
                    "a request of a good client is not answered within " + Fare.LONGEST_MS + " ms (" + under + ")",
                    stuck);
        } catch (ExecutionException failed) {
            throw new ScenarioFailedException(
                    "a request of a good client failed (" + under + "): " + failed.getCause(), failed.getCause());
        }
    }

    @Override
    public void close() {
        stop.ask();
        threads.shutdownNow();
    }
}
