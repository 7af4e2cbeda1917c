package io.millrace.coordinator.selector;

import java.util.Optional;

/**
 * A message selector (Jakarta Messaging 3.1, section 3.8), ready to be used: whether it selects a message takes time that grows with its
 * length and with what it looks at in the message, and memory for a few numbers.
 *
 * <p>What the specification leaves open:
 *
 * <ul>
 *   <li>A value of which nothing is known (a property that is not there, a property of the wrong type in an arithmetic expression, an
 *       integer result beyond 64 bits, an integer division by zero) makes the comparison unknown, and an unknown selector selects nothing.
 *   <li>Comparing values of different kinds, such as a string and a number, is false, and so is the opposite comparison.
 *   <li>Integers are computed in 64 bits; an integer beside an approximate number becomes a double.
 *   <li>{@code _} in a pattern is one Unicode character; the escape character may stand in front of any character.
 * </ul>
 *
 * <p>Immutable; equal to every selector of the same text.
 */
public final class Selector {

    /** Longest text, in UTF-16 characters. */
    public static final int MAX_LENGTH = 8 * 1024;

    /** Deepest nesting of parentheses. Chains of operators may be as long as the text. */
    public static final int MAX_DEPTH = 64;

    private final String text;
    private final Expression condition;

    private Selector(String text, Expression condition) {
        this.text = text;
        this.condition = condition;
    }

    /**
     * Understands a selector.
     *
     * @param text at most {@link #MAX_LENGTH} characters, not blank
     * @throws InvalidSelectorException if it is none; the message says where, what was found, and what was expected
     */
    public static Selector parse(String text) {
        return new Selector(text, SelectorCompiler.compile(text));
    }

    /**
     * As {@link #parse}, for those who may have none.
     *
     * @param text blank if there is no selector
     */
    public static Optional<Selector> parseOptional(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(parse(text));
    }

    /** Returns whether a message is selected: whether the selector is true for it, neither false nor unknown. */
    public boolean selects(SelectedMessage message) {
        return Boolean.TRUE.equals(condition.evaluate(message));
    }

    /** Returns the text, as it was given. */
    public String text() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Selector selector && selector.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
