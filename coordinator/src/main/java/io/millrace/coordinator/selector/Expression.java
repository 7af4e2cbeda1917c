package io.millrace.coordinator.selector;

import io.millrace.wire.message.PropertyKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of a selector. Values are {@link String}, {@link Boolean}, {@link Long} (exact numbers), {@link Double} (approximate ones), and
 * {@code null} for what is unknown; the value of a condition is a Boolean or unknown.
 *
 * <p>No deeper than the selector's parentheses: chains are lists. Immutable.
 */
sealed interface Expression {

    /** What is known of a value without a message. */
    enum Kind {
        BOOLEAN("a condition"),
        NUMBER("a number"),
        STRING("a string"),
        /** Of properties: only a message knows. */
        ANY("a property");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** Returns the value for a message, or {@code null} if it is unknown. */
    @Nullable
    Object evaluate(SelectedMessage message);

    Kind kind();

    /** A condition. */
    sealed interface Condition extends Expression {
        @Override
        @Nullable
        Boolean evaluate(SelectedMessage message);

        @Override
        default Kind kind() {
            return Kind.BOOLEAN;
        }
    }

    /** A value that is written in the selector. */
    record Literal(Object value, Kind kind) implements Expression {
        @Override
        public Object evaluate(SelectedMessage message) {
            return value;
        }
    }

    /** A header field of a message. */
    record Header(HeaderField field) implements Expression {
        @Override
        public @Nullable Object evaluate(SelectedMessage message) {
            return field.of(message);
        }

        @Override
        public Kind kind() {
            return field.kind();
        }
    }

    /** A property of a message. */
    record Property(PropertyKey key) implements Expression {
        @Override
        public @Nullable Object evaluate(SelectedMessage message) {
            return switch (message.property(key)) {
                case Integer number -> number.longValue();
                case Short number -> number.longValue();
                case Byte number -> number.longValue();
                case Float number -> number.doubleValue();
                case Long number -> number;
                case Double number -> number;
                case String text -> text;
                case Boolean truth -> truth;
                case null, default -> null;
            };
        }

        @Override
        public Kind kind() {
            return Kind.ANY;
        }
    }

    /** A number with a sign in front. */
    record Signed(Expression number, boolean negative) implements Expression {
        @Override
        public @Nullable Object evaluate(SelectedMessage message) {
            Object value = number.evaluate(message);
            return negative ? Numbers.negate(value) : Numbers.orUnknown(value);
        }

        @Override
        public Kind kind() {
            return Kind.NUMBER;
        }
    }

    /** Operators of the same precedence, from left to right. */
    record Arithmetic(Expression first, List<Step> steps) implements Expression {
        /** An operator, and what stands to the right of it. */
        record Step(Numbers.Operator operator, Expression operand) {}

        @Override
        public @Nullable Object evaluate(SelectedMessage message) {
            Object result = Numbers.orUnknown(first.evaluate(message));
            for (int i = 0; i < steps.size() && result != null; i++) {
                Step step = steps.get(i);
                result = step.operator.apply(result, step.operand.evaluate(message));
            }
            return result;
        }

        @Override
        public Kind kind() {
            return Kind.NUMBER;
        }
    }

    /** True if one is, else unknown if one is, else false. */
    record Or(List<Expression> conditions) implements Condition {
        @Override
        public @Nullable Boolean evaluate(SelectedMessage message) {
            return Truth.join(conditions, message, true);
        }
    }

    /** False if one is, else unknown if one is, else true. */
    record And(List<Expression> conditions) implements Condition {
        @Override
        public @Nullable Boolean evaluate(SelectedMessage message) {
            return Truth.join(conditions, message, false);
        }
    }

    /** The opposite; unknown stays unknown. */
    record Not(Expression condition) implements Condition {
        @Override
        public @Nullable Boolean evaluate(SelectedMessage message) {
            Boolean truth = Truth.of(condition.evaluate(message));
            return truth == null ? null : !truth;
        }
    }

    /** A comparison. */
    record Comparison(Comparator comparator, Expression left, Expression right) implements Condition {
        @Override
        public @Nullable Boolean evaluate(SelectedMessage message) {
            Object leftValue = left.evaluate(message);
            return leftValue == null ? null : comparator.compare(leftValue, right.evaluate(message));
        }
    }

    /** Whether a number lies between two others, those included; {@code outside} for the opposite. */
    record Between(Expression number, Expression low, Expression high, boolean outside) implements Condition {
        @Override
        public @Nullable Boolean evaluate(SelectedMessage message) {
            Object value = number.evaluate(message);
            if (value == null) {
                return null;
            }
            Comparator above = outside ? Comparator.LESS : Comparator.GREATER_OR_EQUAL;
            Comparator below = outside ? Comparator.GREATER : Comparator.LESS_OR_EQUAL;
            Boolean first = above.compare(value, low.evaluate(message));
            Boolean second = below.compare(value, high.evaluate(message));
            return Truth.join(first, second, outside);
        }
    }

    /** Whether a string is one of those. */
    record In(Expression string, Set<String> strings, boolean negated) implements Condition {
        @Override
        public @Nullable Boolean evaluate(SelectedMessage message) {
            Object value = string.evaluate(message);
            if (value == null) {
                return null;
            }
            return value instanceof String text && strings.contains(text) != negated;
        }
    }

    /** Whether a string fits a pattern. */
    record Like(Expression string, LikePattern pattern, boolean negated) implements Condition {
        @Override
        public @Nullable Boolean evaluate(SelectedMessage message) {
            Object value = string.evaluate(message);
            if (value == null) {
                return null;
            }
            return value instanceof String text && pattern.matches(text) != negated;
        }
    }

    /** Whether a header field or property has no value; never unknown. */
    record IsNull(Expression field, boolean negated) implements Condition {
        @Override
        public Boolean evaluate(SelectedMessage message) {
            return (field.evaluate(message) == null) != negated;
        }
    }
}
