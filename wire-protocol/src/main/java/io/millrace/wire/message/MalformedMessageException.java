package io.millrace.wire.message;

import io.millrace.wire.MillraceException;

/**
 * The bytes of a record cannot be read as a message: its {@code jms} header or its body is damaged, or was written by a newer
 * Millrace or by a program that uses the header's name for something else.
 *
 * <p>Nothing was changed and reading it again fails again. The record itself is intact as far as the log can tell (its batch had
 * the right checksum), so whoever reads may go on with {@link MessageRecords#readForeign}, which leaves the header aside.
 */
public final class MalformedMessageException extends MillraceException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what is wrong, where, and what to do
     */
    public MalformedMessageException(String message) {
        super(Category.REJECTED, message);
    }
}
