package io.millrace.wire;

import java.util.Objects;

/**
 * Root of all failures that Millrace reports.
 *
 * <p>Expected outcomes are return values; an exception means that the operation did not do what was asked. Subclasses are named after
 * what happened, their Javadoc says what may have been done already and what a retry risks, and the message holds the facts: what
 * failed (log, partition, offset, epoch), why, and what to do about it.
 */
public abstract class MillraceException extends RuntimeException {

    /** What the caller can do about a failure. */
    public enum Category {
        /** Passing trouble, such as a leader that moved: the same request may succeed later. */
        RETRIABLE,
        /** The request is wrong or not allowed: repeating it unchanged fails again, other requests are not affected. */
        REJECTED,
        /** The component that threw cannot go on, as after a failed sync of its disk: somebody has to act. */
        FATAL
    }

    private final Category category;

    /**
     * Creates a failure without a cause.
     *
     * @param category what the caller can do about it
     * @param message what failed, why, and what to do
     */
    protected MillraceException(Category category, String message) {
        super(Objects.requireNonNull(message, "message"));
        this.category = Objects.requireNonNull(category, "category");
    }

    /**
     * Creates a failure that another one led to.
     *
     * @param category what the caller can do about it
     * @param message what failed, why, and what to do
     * @param cause the failure underneath
     */
    protected MillraceException(Category category, String message, Throwable cause) {
        super(Objects.requireNonNull(message, "message"), Objects.requireNonNull(cause, "cause"));
        this.category = Objects.requireNonNull(category, "category");
    }

    /** Returns the facts; unlike that of other exceptions, this message is always there. */
    @Override
    public final String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "message");
    }

    /** Returns what the caller can do about this failure. */
    public final Category category() {
        return category;
    }
}
