package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.Heartbeat;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Consumers that read all that they get, at once, and never acknowledge any of it: what the broker keeps for them is in its logs, not in
 * its heap. Used by one thread; each of them is read by one of its own.
 */
final class Hoarders implements AutoCloseable {
    private static final int FEW = 10_000;
    private static final int MANY = 140_000;
    /** No faster than a machine does beside the load: it is not the sender who is bad here. */
    private static final int MESSAGES_PER_PAUSE = 250;

    private static final long PAUSE_MS = 50;
    private static final int MESSAGE_BYTES = 1_000;

    /** The default of cursor.window.records: a partition lends no more at a time. */
    private static final int WINDOW = 100_000;

    /** What was lent in between is 90 MB, and twice that is in the log. */
    private static final long MOST_GROWTH_BYTES = 16 << 20;

    private static final long PATIENCE_MS = 90_000;
    private static final long HEARTBEAT_MS = 1_000;

    private final Fault.Stage stage;
    private final Peers peers = new Peers();
    private final AtomicLong taken = new AtomicLong();
    private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();

    Hoarders(Fault.Stage stage) {
        this.stage = stage;
    }

    /** Has so many come, who take so many messages each; what they take does not count. */
    void come(int count, Place place, int mostMessages) throws IOException {
        come(count, place, mostMessages, new AtomicLong());
    }

    private void come(int count, Place place, int mostMessages, AtomicLong counter) throws IOException {
        int port = stage.broker().port();
        peers.arrive(count, () -> {
            RawPeer peer = RawPeer.loggedIn(port);
            HostileFault.consume(peer, place, mostMessages);
            readers.execute(() -> read(peer, counter));
            return peer;
        });
    }

    private static void read(RawPeer peer, AtomicLong counter) {
        try {
            while (true) {
                if (peer.readFrame() instanceof Deliver delivery) {
                    counter.addAndGet(delivery.entries().count());
                }
            }
        } catch (IOException gone) {
            // With its connection, by whoever closed it.
        }
    }

    /**
     * Has so many come to a queue of one partition, which is then filled with more than they are given.
     *
     * @return what was seen
     * @throws ScenarioFailedException if the heap grows with what they hold, or they hold more than they may
     */
    String hoard(int count, Place queue) throws IOException, InterruptedException {
        come(count, queue, Integer.MAX_VALUE, taken);
        try (BrokerInsight insight = BrokerInsight.of(stage.broker())) {
            feed(queue, FEW, FEW);
            long before = insight.liveHeapBytes();
            feed(queue, MANY, WINDOW);
            long growth = insight.liveHeapBytes() - before;
            String what = "%,d messages of %,d bytes read and never acknowledged, for which the heap grew by %,d KiB"
                    .formatted(taken.get(), MESSAGE_BYTES, growth >> 10);
            if (growth > MOST_GROWTH_BYTES || taken.get() > WINDOW) {
                throw new ScenarioFailedException(what);
            }
            return what;
        }
    }

    /** Sends messages, and waits until so many in all are with these. */
    private void feed(Place queue, int count, long goal) throws InterruptedException {
        try (Connection connection = new MillraceConnectionFactory(
                                "millrace://127.0.0.1:" + stage.broker().port())
                        .createConnection();
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(queue.destination(session))) {
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            long beatNs = stage.load().nanoTime();
            for (int i = 0; i < count; i++) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(new byte[MESSAGE_BYTES]);
                producer.send(message);
                if (i % MESSAGES_PER_PAUSE == 0) {
                    stage.load().work(PAUSE_MS);
                }
                if (stage.load().nanoTime() - beatNs > TimeUnit.MILLISECONDS.toNanos(HEARTBEAT_MS)) {
                    beatNs = stage.load().nanoTime();
                    stayAlive();
                }
            }
            awaitTaken(goal);
        } catch (JMSException | IOException failed) {
            throw new ScenarioFailedException("a queue cannot be filled for those who never acknowledge", failed);
        }
    }

    private void awaitTaken(long goal) throws InterruptedException, IOException {
        long deadlineNs = stage.load().nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (taken.get() < goal) {
            if (stage.load().nanoTime() - deadlineNs > 0) {
                throw new ScenarioFailedException("those who never acknowledge got %,d messages of %,d within %,d ms"
                        .formatted(taken.get(), goal, PATIENCE_MS));
            }
            stayAlive();
            stage.load().work(200);
        }
    }

    /** Says that they are there, as any client does. */
    void stayAlive() throws IOException {
        peers.each(peer -> peer.send(new Heartbeat(stage.load().nanoTime())));
    }

    int count() {
        return peers.count();
    }

    @Override
    public void close() throws IOException {
        peers.close();
        readers.close();
    }
}
