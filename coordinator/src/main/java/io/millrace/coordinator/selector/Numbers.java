package io.millrace.coordinator.selector;

import org.jspecify.annotations.Nullable;

/**
 * Arithmetic of selectors: exact numbers are {@link Long}, approximate ones {@link Double}, and one of each is computed as two of the second
 * kind. What cannot be computed is unknown.
 */
final class Numbers {
    private Numbers() {}

    /** What may stand between two numbers. */
    enum Operator {
        PLUS {
            @Override
            @Nullable
            Long exactly(long left, long right) {
                long sum = left + right;
                return ((left ^ sum) & (right ^ sum)) < 0 ? null : sum;
            }

            @Override
            double approximately(double left, double right) {
                return left + right;
            }
        },
        MINUS {
            @Override
            @Nullable
            Long exactly(long left, long right) {
                long difference = left - right;
                return ((left ^ right) & (left ^ difference)) < 0 ? null : difference;
            }

            @Override
            double approximately(double left, double right) {
                return left - right;
            }
        },
        TIMES {
            @Override
            @Nullable
            Long exactly(long left, long right) {
                long product = left * right;
                return Math.multiplyHigh(left, right) == product >> 63 ? product : null;
            }

            @Override
            double approximately(double left, double right) {
                return left * right;
            }
        },
        DIVIDE {
            @Override
            @Nullable
            Long exactly(long left, long right) {
                boolean overflows = left == Long.MIN_VALUE && right == -1;
                return right == 0 || overflows ? null : left / right;
            }

            @Override
            double approximately(double left, double right) {
                return left / right;
            }
        };

        abstract @Nullable Long exactly(long left, long right);

        abstract double approximately(double left, double right);

        @Nullable
        Object apply(Object left, @Nullable Object right) {
            if (left instanceof Long first && right instanceof Long second) {
                return exactly(first, second);
            }
            return left instanceof Number first && right instanceof Number second
                    ? approximately(first.doubleValue(), second.doubleValue())
                    : null;
        }
    }

    static @Nullable Object orUnknown(@Nullable Object value) {
        return value instanceof Number ? value : null;
    }

    static @Nullable Object negate(@Nullable Object value) {
        if (value instanceof Long number) {
            return number == Long.MIN_VALUE ? null : Long.valueOf(-number);
        }
        return value instanceof Double number ? Double.valueOf(-number) : null;
    }
}
