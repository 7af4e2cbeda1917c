package io.millrace.benchmarks.scale;

import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./millrace bench scale deep}. */
@Command(
        name = "deep",
        mixinStandardHelpOptions = true,
        header = "A queue that is millions of messages deep.",
        description = {
            "Heap, send and receive rates in turns with those of an empty queue, restart after kill -9; then takes all "
                    + "messages but a thousand, which lie anywhere, and checks after another kill -9 that exactly these are left.",
            ""
        })
public final class DeepCommand implements Callable<Integer> {
    private static final String DEEP = "deep";
    private static final long MAX_HEAP_BYTES = 150L << 20;
    private static final double MIN_RATE_RATIO = 0.8;
    private static final long MAX_START_MS = 5000;
    private static final int TAKE_AT_A_TIME = 1000;

    @Mixin
    private ScaleRun run = new ScaleRun();

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "5000000",
            description = "Of 1 KiB each. Default: ${DEFAULT-VALUE}.")
    private long messages;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Of rates, in turns. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--round-messages",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Sent and received in a round. Default: ${DEFAULT-VALUE}.")
    private int roundMessages;

    @Option(
            names = "--holes",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Messages that stay unacknowledged between acknowledged ones. Default: ${DEFAULT-VALUE}.")
    private int holes;

    @Override
    public Integer call() throws JMSException, InterruptedException {
        return run.of(this::measure);
    }

    private void measure(ScaleBroker broker, QueueLoad load, Checks checks) throws JMSException, InterruptedException {
        checks.note("heap of the empty broker: %.0f MB", Checks.megabytes(broker.heapAfterCollection()));
        double rate = load.send(QueueLoad.queue(DEEP), messages);
        checks.note("sent %,d messages, %,.0f/s", messages, rate);
        broker.checkHeap(checks, MAX_HEAP_BYTES, "heap with %,d messages".formatted(messages));
        compareRates(load, checks);
        broker.checkHeap(checks, MAX_HEAP_BYTES, "heap after sending and receiving");
        broker.killAndRestart();
        checks.check(
                broker.startMs() < MAX_START_MS, "< 5 s", "restart after kill -9: ready in %,d ms", broker.startMs());
        broker.checkHeap(checks, MAX_HEAP_BYTES, "heap after the restart");
        takeAllBut(broker, checks);
    }

    private void compareRates(QueueLoad load, Checks checks) throws JMSException, InterruptedException {
        List<Double> sends = new ArrayList<>();
        List<Double> receives = new ArrayList<>();
        for (int round = -1; round < rounds; round++) {
            String empty = "empty-" + round;
            double sendEmpty = load.send(QueueLoad.queue(empty), roundMessages);
            double sendDeep = load.send(QueueLoad.queue(DEEP), roundMessages);
            double receiveDeep = load.receive(DEEP, roundMessages);
            double receiveEmpty = load.receive(empty, roundMessages);
            checks.note(
                    "  %s: send deep %,.0f/s, empty %,.0f/s; receive deep %,.0f/s, empty %,.0f/s",
                    round < 0 ? "warm-up" : "round " + (round + 1), sendDeep, sendEmpty, receiveDeep, receiveEmpty);
            if (round >= 0) {
                sends.add(sendDeep / sendEmpty);
                receives.add(receiveDeep / receiveEmpty);
            }
        }
        checkRatio(checks, "send rate, deep/empty", sends);
        checkRatio(checks, "receive rate, deep/empty", receives);
    }

    private static void checkRatio(Checks checks, String what, List<Double> ratios) {
        List<Double> sorted = ratios.stream().sorted().toList();
        double median = sorted.get(sorted.size() / 2);
        checks.check(
                median >= MIN_RATE_RATIO,
                ">= 0.8",
                "%s: %.2f / %.2f / %.2f (min / median / max)",
                what,
                sorted.getFirst(),
                median,
                sorted.getLast());
    }

    /** One session takes and acknowledges nearly everything; another takes one now and then, and acknowledges none. */
    private void takeAllBut(ScaleBroker broker, Checks checks) throws JMSException, InterruptedException {
        long every = messages / holes;
        Set<String> held = new HashSet<>();
        long taken = 0;
        try (Connection keeping = new MillraceConnectionFactory(broker.url() + "?prefetch=1").createConnection()) {
            keeping.start();
            Session keeper = keeping.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer keeps = keeper.createConsumer(keeper.createQueue(DEEP));
            try (Connection taking = new MillraceConnectionFactory(broker.url()).createConnection()) {
                taking.start();
                Session taker = taking.createSession(false, Session.CLIENT_ACKNOWLEDGE);
                MessageConsumer takes = taker.createConsumer(taker.createQueue(DEEP));
                while (taken + held.size() < messages) {
                    if (held.size() < holes && taken >= held.size() * every) {
                        held.add(QueueLoad.receiveOne(keeps).getJMSMessageID());
                        if (held.size() == holes) {
                            keeps.close(); // what it has ahead goes to the other
                        }
                    }
                    long now = Math.min(TAKE_AT_A_TIME, Math.min(every, messages - taken - held.size()));
                    take(takes, now);
                    taken += now;
                }
            }
            checks.note("acknowledged %,d messages, and none of %,d between them", taken, held.size());
            broker.killAndRestart();
            checks.note("restart after kill -9: ready in %,d ms", broker.startMs());
        }
        Set<String> left = new HashSet<>();
        long came = countLeft(broker, left);
        checks.check(
                came == holes && left.equals(held),
                "exactly those",
                "left after the restart: %,d messages, %,d of them unacknowledged ones",
                came,
                left.stream().filter(held::contains).count());
    }

    private static void take(MessageConsumer consumer, long count) throws JMSException {
        for (long i = 1; i <= count; i++) {
            Message message = QueueLoad.receiveOne(consumer);
            if (i == count) {
                message.acknowledge();
            }
        }
    }

    private long countLeft(ScaleBroker broker, Set<String> ids) throws JMSException {
        long came = 0;
        try (Connection connection = new MillraceConnectionFactory(broker.url()).createConnection()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(DEEP));
            for (Message message = consumer.receive(QueueLoad.PATIENCE_MS);
                    message != null;
                    message = came < holes ? consumer.receive(QueueLoad.PATIENCE_MS) : consumer.receive(1000)) {
                came++;
                ids.add(message.getJMSMessageID());
            }
        }
        return came;
    }
}
