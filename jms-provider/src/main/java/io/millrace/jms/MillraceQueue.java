package io.millrace.jms;

import io.millrace.wire.name.DestinationName;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Queue;
import java.io.InvalidObjectException;
import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A queue by its name, or a further cursor of a queue or topic: {@code orders::audit} is consumed like a queue that got every message of
 * {@code orders}, whoever else consumes those. It begins at the oldest message that is there, keeps its place for ever, is shared by all who
 * name it, and is the same as the share group {@code audit} of Kafka clients. Nothing can be sent to it, but to {@code orders}.
 */
public sealed class MillraceQueue extends MillraceDestination implements Queue permits MillraceTemporaryQueue {
    private static final long serialVersionUID = 1L;
    private static final String SEPARATOR = "::";

    private final transient @Nullable String cursorName;

    /**
     * Names a queue.
     *
     * @param name see {@link io.millrace.wire.name.DestinationName#of}; with {@code ::} and 1 to 249 characters behind it, of a further cursor
     * @throws InvalidDestinationException if no destination can have this name
     */
    public MillraceQueue(String name) throws InvalidDestinationException {
        super(name, logPart(name));
        this.cursorName = name.length() == destinationName().jmsName().length()
                ? null
                : checkCursor(name, name.substring(destinationName().jmsName().length() + SEPARATOR.length()));
    }

    private static String logPart(String name) {
        int end = name.indexOf(SEPARATOR);
        return end < 0 ? name : name.substring(0, end);
    }

    private static String checkCursor(String name, String cursor) throws InvalidDestinationException {
        boolean printable = cursor.codePoints().noneMatch(Character::isISOControl);
        if (cursor.isEmpty() || cursor.length() > DestinationName.MAX_LOG_NAME_LENGTH || !printable) {
            throw new InvalidDestinationException("Behind :: stands the name of a cursor, 1 to "
                    + DestinationName.MAX_LOG_NAME_LENGTH + " printable characters, which " + quote(name) + " has not");
        }
        return cursor;
    }

    private static String quote(String name) {
        return "'" + (name.length() > 300 ? name.substring(0, 300) + "..." : name).replaceAll("\\p{Cntrl}", "?") + "'";
    }

    /** Returns the name of the further cursor that is meant, or empty for the queue itself. */
    public Optional<String> cursorName() {
        return Optional.ofNullable(cursorName);
    }

    @Override
    public final String getQueueName() {
        return name();
    }

    /** The name is checked again: the bytes may come from anywhere. */
    @Serial
    private Object readResolve() throws InvalidObjectException {
        try {
            return new MillraceQueue(name());
        } catch (InvalidDestinationException e) {
            InvalidObjectException failure = new InvalidObjectException(e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    /** As the command line writes it: {@code queue:NAME}. */
    @Override
    public String toString() {
        return "queue:" + name();
    }
}
