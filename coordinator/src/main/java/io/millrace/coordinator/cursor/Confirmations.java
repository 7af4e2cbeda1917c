package io.millrace.coordinator.cursor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/** What becomes true of the cursors when the cursor log's high watermark passes what was appended for it. */
final class Confirmations {

    /** Steps kept at most; when the high watermark lags behind more appends than this, the newest steps are joined. */
    private static final int MAX_STEPS = 1_024;

    /**
     * One append.
     *
     * @param logEndOffset end of the cursor log after it
     * @param earliestNeeded lowest data offset that the durable cursors needed then; empty when there were none
     * @param horizons horizons that it raised
     */
    private record Step(long logEndOffset, OptionalLong earliestNeeded, List<HorizonStep> horizons) {}

    private final Deque<Step> steps = new ArrayDeque<>();
    private OptionalLong earliestNeeded;

    /** Starts with the assumption that everything at or above {@code earliestNeeded} is needed. */
    Confirmations(OptionalLong earliestNeeded) {
        this.earliestNeeded = earliestNeeded;
    }

    /** Returns the lowest offset that the durable cursors need according to what is confirmed; empty when there are none. */
    OptionalLong earliestNeeded() {
        return earliestNeeded;
    }

    void onAppended(long logEndOffset, OptionalLong earliestNeededNow, List<HorizonStep> horizons) {
        if (steps.size() < MAX_STEPS) {
            steps.add(new Step(logEndOffset, earliestNeededNow, horizons));
            return;
        }
        List<HorizonStep> joined = new ArrayList<>(steps.removeLast().horizons());
        joined.addAll(horizons);
        steps.add(new Step(logEndOffset, earliestNeededNow, joined));
    }

    /** Returns whether a cursor may lend more than before. */
    boolean onHighWatermark(long offset) {
        boolean more = false;
        while (!steps.isEmpty() && steps.getFirst().logEndOffset() <= offset) {
            Step step = steps.removeFirst();
            earliestNeeded = step.earliestNeeded();
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
        kept.forEach(step -> steps.add(new Step(step.logEndOffset(), step.earliestNeeded(), List.of())));
    }
}
