package io.millrace.coordinator.selector;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Logic of three values, as in SQL: true, false, and unknown, which is {@code null} (Jakarta Messaging 3.8.1.2). */
final class Truth {
    private Truth() {}

    /** Takes a value for a condition: whatever is no truth is unknown. */
    static @Nullable Boolean of(@Nullable Object value) {
        return value instanceof Boolean truth ? truth : null;
    }

    /**
     * Joins conditions by OR or AND.
     *
     * @param decisive the value that decides as soon as one condition has it: true for OR, false for AND
     */
    static @Nullable Boolean join(List<Expression> conditions, SelectedMessage message, boolean decisive) {
        boolean unknown = false;
        for (int i = 0; i < conditions.size(); i++) {
            Boolean truth = of(conditions.get(i).evaluate(message));
            if (truth == null) {
                unknown = true;
            } else if (truth == decisive) {
                return decisive;
            }
        }
        return unknown ? null : Boolean.valueOf(!decisive);
    }

    /** The same for two values. */
    static @Nullable Boolean join(@Nullable Boolean left, @Nullable Boolean right, boolean decisive) {
        Boolean decided = decisive;
        if (decided.equals(left) || decided.equals(right)) {
            return decided;
        }
        return (left == null || right == null) ? null : Boolean.valueOf(!decisive);
    }
}
