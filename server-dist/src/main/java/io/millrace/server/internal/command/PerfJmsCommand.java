package io.millrace.server.internal.command;

import io.millrace.server.internal.perf.LoadPlan;
import io.millrace.server.internal.perf.LoadResult;
import io.millrace.server.internal.perf.LoadRun;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.time.SystemTimeSource;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace perf jms}. */
@Command(
        name = "jms",
        mixinStandardHelpOptions = true,
        header = "Sends and receives through JMS as fast as it can, or at a fixed rate, and shows rates and latencies.",
        description = {
            "Each producer and each consumer has a connection, a session and a thread of its own. A line a second says how it goes; "
                    + "the end says how long sends took until they were confirmed, and messages until they were received.",
            "",
            "  millrace perf jms queue:load                                   1 producer, 1 consumer, 10 s",
            "  millrace perf jms queue:load --producers 16 --consumers 4 --duration 60s --warmup 10s",
            "  millrace perf jms queue:load --rate 1000 --duration 30s        what does a message take at 1,000 a second?",
            "  millrace perf jms queue:load --only send --async 1000 --count 1000000 --size 1024",
            "  millrace perf jms queue:load --only receive --count 1000000 --ack client --ack-every 100",
            "  millrace perf jms topic:news --consumers 10 --listener         fan-out",
            "  millrace perf jms queue:load --destinations 500 --producers 16 --listener   load-0 to load-499",
            "",
            "With --rate the messages have a timetable: one that is sent late because the ones before it took long counts from when it "
                    + "was due. Without, a producer sends when it can, and latencies say little but how many wait.",
            "What it sends is consumed again, unless --only send; what else lies in the destination is consumed with it.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:done", " 1:it failed, or messages did not come back", " 2:the command line is wrong"})
final class PerfJmsCommand implements Callable<Integer> {
    enum Side {
        SEND,
        RECEIVE;

        /** As it is typed, and as the shell completes it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    enum Acknowledging {
        AUTO(Session.AUTO_ACKNOWLEDGE),
        CLIENT(Session.CLIENT_ACKNOWLEDGE),
        DUPS(Session.DUPS_OK_ACKNOWLEDGE);

        private final int mode;

        Acknowledging(int mode) {
            this.mode = mode;
        }

        /** As it is typed, and as the shell completes it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Mixin
    private DestinationOptions destination = new DestinationOptions();

    @Option(names = "--only", paramLabel = "SIDE", description = "send or receive; both unless given.")
    private @Nullable Side only;

    @Option(
            names = "--destinations",
            paramLabel = "N",
            description = "Spread over so many: DEST-0, DEST-1 ... Default: DEST alone.")
    private @Nullable Integer destinations;

    @Option(names = "--producers", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private int producers;

    @Option(names = "--consumers", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private int consumers;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "The size of a message's body. Default: ${DEFAULT-VALUE}.")
    private int sizeBytes;

    @Mixin
    private CountOption count = new CountOption();

    @Option(
            names = "--duration",
            paramLabel = "T",
            converter = Waiting.class,
            description =
                    "End after so long: 500ms, 5s, 2m; a bare number is seconds. Default: 10s, unless --count is given.")
    private @Nullable Duration duration;

    @Option(
            names = "--warmup",
            paramLabel = "T",
            converter = Waiting.class,
            defaultValue = "0s",
            description = "Run so long before measuring. Default: ${DEFAULT-VALUE}.")
    private Duration warmup = Duration.ZERO;

    @Option(names = "--rate", paramLabel = "N", description = "Messages a second of all producers together.")
    private @Nullable Integer rate;

    @Option(names = "--non-persistent", description = "Send NON_PERSISTENT.")
    private boolean nonPersistent;

    @Option(
            names = "--async",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Let each producer have N unanswered sends with a CompletionListener, rather than wait for each.")
    private int async;

    @Option(names = "--listener", description = "Receive with a MessageListener, rather than by calling receive.")
    private boolean listener;

    @Option(
            names = "--ack",
            paramLabel = "MODE",
            defaultValue = "auto",
            description = "auto, client or dups (DUPS_OK). Default: ${DEFAULT-VALUE}.")
    private Acknowledging acknowledging = Acknowledging.AUTO;

    @Option(
            names = "--ack-every",
            paramLabel = "N",
            defaultValue = "100",
            description = "With --ack client: acknowledge after so many messages. Default: ${DEFAULT-VALUE}.")
    private int acknowledgeEvery;

    @Option(
            names = "--timeout",
            paramLabel = "T",
            converter = Waiting.class,
            defaultValue = "10s",
            description = "How long to wait for messages that do not come. Default: ${DEFAULT-VALUE}.")
    private Duration silence = Duration.ZERO;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws JMSException, InterruptedException {
        DestinationKind unchecked = destination.reference().kind().orElse(DestinationKind.QUEUE);
        // What is wrong with the command line is said before anything is connected to.
        plan(unchecked);
        LoadPlan plan = plan(destination.resolveKind());
        PrintWriter progress = json.chosen() ? json.err() : json.out();
        Consumer<String> lines = line -> {
            progress.println(line);
            progress.flush();
        };
        LoadResult result =
                new LoadRun(destination.connectionFactory(), plan, SystemTimeSource.instance(), lines).run();
        json.print(document(plan, result), out -> print(out, result));
        if (result.missing() > 0) {
            throw new CommandFailure(
                    ExitCode.FAILURE,
                    result.missing() + " messages were confirmed to their sender and did not come within "
                            + silence.toMillis() + " ms; does somebody else consume from " + destination.reference()
                            + "?");
        }
        if (only == Side.RECEIVE) {
            count.requireAll(
                    result.received().map(LoadResult.Side::messages).orElse(0L),
                    "the timeout of " + silence.toMillis() + " ms");
        }
        return ExitCode.OK;
    }

    private LoadPlan plan(DestinationKind kind) {
        try {
            OptionalLong most = count.limit();
            Optional<Duration> limit =
                    Optional.ofNullable(duration == null && most.isEmpty() ? Duration.ofSeconds(10) : duration);
            return new LoadPlan(
                    kind,
                    names(),
                    only == Side.RECEIVE ? 0 : atLeastOne("--producers", producers),
                    only == Side.SEND ? 0 : atLeastOne("--consumers", consumers),
                    sizeBytes,
                    new LoadPlan.Limit(most, limit, silence),
                    warmup,
                    rate == null ? OptionalInt.empty() : OptionalInt.of(rate),
                    new LoadPlan.Sending(!nonPersistent, async),
                    new LoadPlan.Receiving(listener, acknowledging.mode, acknowledgeEvery));
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static int atLeastOne(String option, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(option + " must be at least 1, is " + number);
        }
        return number;
    }

    private List<String> names() {
        if (destinations == null) {
            return List.of(destination.reference().name());
        }
        return IntStream.range(0, atLeastOne("--destinations", destinations))
                .mapToObj(i -> destination.reference().name() + "-" + i)
                .toList();
    }

    private static Map<String, Object> document(LoadPlan plan, LoadResult result) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("kind", plan.kind().word());
        document.put("destinations", plan.destinations());
        document.put("producers", plan.producers());
        document.put("consumers", plan.consumers());
        document.put("sizeBytes", plan.sizeBytes());
        document.put("persistent", plan.sending().persistent());
        plan.ratePerSecond().ifPresent(perSecond -> document.put("ratePerSecond", perSecond));
        result.sent().ifPresent(side -> document.put("sent", side));
        result.received().ifPresent(side -> document.put("received", side));
        document.put("missing", result.missing());
        return document;
    }

    private static void print(PrintWriter out, LoadResult result) {
        result.sent().ifPresent(side -> print(out, "sent", "until confirmed", side));
        result.received().ifPresent(side -> print(out, "received", "until received", side));
    }

    private static void print(PrintWriter out, String what, String until, LoadResult.Side side) {
        out.printf(
                Locale.ROOT,
                "%n%-9s %,d messages in %.2f s: %,.0f/s, %,.2f MB/s%n",
                what,
                side.messages(),
                side.seconds(),
                side.perSecond(),
                side.bytesPerSecond() / 1e6);
        if (side.latencyMs().count() > 0) {
            out.printf(Locale.ROOT, "  %-15s %s%n", until, side.latencyMs().text());
        }
    }
}
