package io.millrace.server.internal.perf;

import io.millrace.wire.time.TimeSource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Runs a plan against a provider. One thread, which watches; the work is on others. */
public final class LoadRun {
    private static final long LOOK_EVERY_MS = 20;
    private static final Duration FOREVER = Duration.ofDays(10_000);

    private final ConnectionFactory factory;
    private final LoadPlan plan;
    private final TimeSource time;
    private final Consumer<String> lines;
    private final RunState state;
    private final Meters sent = new Meters();
    private final Meters received = new Meters();

    /**
     * Prepares; connects to nothing yet.
     *
     * @param lines is told a line each second
     */
    public LoadRun(ConnectionFactory factory, LoadPlan plan, TimeSource time, Consumer<String> lines) {
        this.factory = factory;
        this.plan = plan;
        this.time = time;
        this.lines = lines;
        // Which messages are its own: two runs would have to begin in the same nanosecond of their machines to be taken
        // for one.
        this.state = new RunState(
                time.wallClockMs() * 1_000_003 ^ time.nanoTime(), plan.limit().count());
    }

    /**
     * Does it all, and ends when the plan's limit is reached.
     *
     * @throws JMSException what went wrong first
     */
    public LoadResult run() throws JMSException, InterruptedException {
        try (Workers workers = new Workers(plan, state, time)) {
            // Without a warm-up the first message counts already.
            if (plan.warmup().isZero()) {
                state.measure(time.nanoTime());
            }
            workers.start(factory, sent, received);
            watch(progress("warm-up ", false), plan.warmup(), workers::areDone);
            long startNs = time.nanoTime();
            state.measure(startNs);
            Progress progress = progress("", true);
            watch(progress, plan.limit().duration().orElse(FOREVER), () -> workers.areDone() || isSilent());
            state.endSending();
            workers.joinProducers();
            long endNs = time.nanoTime();

            // What is on its way still comes: consumers end when they have everything.
            watch(
                    progress,
                    plan.sends() && plan.receives() ? FOREVER : Duration.ZERO,
                    () -> missing() <= 0 || isSilent());
            state.stop();
            workers.joinConsumers();
            throwFailure();
            return result(startNs, endNs);
        }
    }

    private Progress progress(String label, boolean measured) {
        return new Progress(label, plan, sent.of(measured), received.of(measured), time.nanoTime(), lines);
    }

    /** Watches for so long, or until it is over or something fails. */
    private void watch(Progress progress, Duration most, BooleanSupplier over) throws InterruptedException {
        long startNs = time.nanoTime();
        long mostNs = most.toNanos();
        while (time.nanoTime() - startNs < mostNs && !over.getAsBoolean() && !state.awaitStop(LOOK_EVERY_MS)) {
            progress.printWhenDue(time.nanoTime());
        }
    }

    /** Whether a consumer waits in vain. A run that sends is over when its producers are. */
    private boolean isSilent() {
        boolean sending = plan.sends() && state.isSending();
        return !sending
                && time.nanoTime() - state.lastReceivedNs()
                        > plan.limit().silence().toNanos();
    }

    private long missing() {
        return state.confirmed() * plan.copies() - state.returned();
    }

    private void throwFailure() throws JMSException {
        Optional<Exception> failure = state.failure();
        if (failure.isPresent()) {
            JMSException thrown = new JMSException("the run failed after " + state.confirmed() + " confirmed and "
                    + state.returned() + " received messages: " + failure.get().getMessage());
            thrown.initCause(failure.get());
            throw thrown;
        }
    }

    private LoadResult result(long startNs, long endNs) {
        // A consumer is measured up to the last message, not up to when it gave up waiting for another.
        boolean wholeTime = !plan.sends() && plan.limit().duration().isPresent();
        long lastNs = wholeTime ? endNs : state.lastReceivedNs();
        return new LoadResult(
                side(plan.sends(), sent.measured(), endNs - startNs),
                side(plan.receives(), received.measured(), lastNs - startNs),
                plan.sends() && plan.receives() ? Math.max(0, missing()) : 0);
    }

    private Optional<LoadResult.Side> side(boolean wanted, Meter meter, long elapsedNs) {
        return wanted ? Optional.of(LoadResult.Side.of(meter, elapsedNs, plan.sizeBytes())) : Optional.empty();
    }
}
