package io.millrace.coordinator.selector;

import org.jspecify.annotations.Nullable;

/**
 * Comparisons of two values. Unknown if one is; false if they are of different kinds, or if there is no order among them (Jakarta Messaging
 * 3.8.1.2: strings and truths are equal or not, and that is all).
 */
enum Comparator {
    EQUAL(false, true, false),
    NOT_EQUAL(true, false, true),
    LESS(true, false, false),
    LESS_OR_EQUAL(true, true, false),
    GREATER(false, false, true),
    GREATER_OR_EQUAL(false, true, true);

    private final boolean ifLess;
    private final boolean ifEqual;
    private final boolean ifGreater;

    Comparator(boolean ifLess, boolean ifEqual, boolean ifGreater) {
        this.ifLess = ifLess;
        this.ifEqual = ifEqual;
        this.ifGreater = ifGreater;
    }

    /** Returns whether it asks for an order, which only numbers have. */
    boolean isOrder() {
        return this != EQUAL && this != NOT_EQUAL;
    }

    @Nullable
    Boolean compare(@Nullable Object left, @Nullable Object right) {
        if (left == null || right == null) {
            return null;
        }
        if (left instanceof Long first && right instanceof Long second) {
            return holds(Long.compare(first, second));
        }
        if (left instanceof Number first && right instanceof Number second) {
            return compare(first.doubleValue(), second.doubleValue());
        }
        return !isOrder() && left.getClass() == right.getClass() && left.equals(right) == ifEqual;
    }

    /** As Java compares: nothing is less than, equal to or greater than what is not a number, and both zeros are equal. */
    private boolean compare(double left, double right) {
        if (left < right) {
            return ifLess;
        }
        if (left > right) {
            return ifGreater;
        }
        return left == right ? ifEqual : this == NOT_EQUAL;
    }

    private boolean holds(int order) {
        if (order == 0) {
            return ifEqual;
        }
        return order < 0 ? ifLess : ifGreater;
    }
}
