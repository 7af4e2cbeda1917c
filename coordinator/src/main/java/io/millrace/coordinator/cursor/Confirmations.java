package io.millrace.coordinator.cursor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What becomes true of the cursors when the cursor log's high watermark passes what was appended for it. */
final class Confirmations {

    /** Stands for an offset that nobody needs. */
    static final long NOTHING_NEEDED = Long.MAX_VALUE;

    /** Steps kept at most; when the high watermark lags behind more appends than this, the newest steps are joined. */
    private static final int MAX_STEPS = 1_024;

    /**
     * One append, or several that were joined.
     *
     * @param logEndOffset end of the cursor log after it
     * @param earliestNeeded lowest data offset that the durable cursors needed then
     * @param lowest lowest data offset that they needed after any of the joined appends: a crash may leave the log at each of them
     * @param horizons horizons that were raised
     */
    private record Step(long logEndOffset, long earliestNeeded, long lowest, List<HorizonStep> horizons) {}

    private final Deque<Step> steps = new ArrayDeque<>();
    private long confirmed;

    /** Starts with the assumption that everything at or above {@code earliestNeeded} is needed. */
    Confirmations(long earliestNeeded) {
        this.confirmed = earliestNeeded;
    }

    /** Returns the lowest data offset that the durable cursors may need after a crash. */
    long earliestNeededAfterCrash() {
        long lowest = confirmed;
        for (Step step : steps) {
            lowest = Math.min(lowest, step.lowest());
        }
        return lowest;
    }

    void onAppended(long logEndOffset, long earliestNeeded, List<HorizonStep> horizons) {
        if (steps.size() < MAX_STEPS) {
            steps.add(new Step(logEndOffset, earliestNeeded, earliestNeeded, horizons));
            return;
        }
        Step last = steps.removeLast();
        List<HorizonStep> joined = new ArrayList<>(last.horizons());
        joined.addAll(horizons);
        steps.add(new Step(logEndOffset, earliestNeeded, Math.min(last.lowest(), earliestNeeded), joined));
    }

    /** Returns whether a cursor may lend more than before. */
    boolean onHighWatermark(long offset) {
        boolean more = false;
        while (!steps.isEmpty() && steps.getFirst().logEndOffset() <= offset) {
            Step step = steps.removeFirst();
            confirmed = step.earliestNeeded();
            for (HorizonStep horizon : step.horizons()) {
                more |= horizon.cursor().onHorizonConfirmed(horizon.horizon());
            }
        }
        return more;
    }

    /** Horizons raised so far mean nothing any more: the data log was cut. */
    void forgetHorizons() {
        List<Step> kept = List.copyOf(steps);
        steps.clear();
        kept.forEach(step -> steps.add(new Step(step.logEndOffset(), step.earliestNeeded(), step.lowest(), List.of())));
    }
}
