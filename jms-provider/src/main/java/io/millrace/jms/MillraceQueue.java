package io.millrace.jms;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.Queue;
import java.io.InvalidObjectException;
import java.io.Serial;

/** A queue by its name. */
public final class MillraceQueue extends MillraceDestination implements Queue {
    private static final long serialVersionUID = 1L;

    /**
     * Names a queue.
     *
     * @param name see {@link io.millrace.wire.name.DestinationName#of}
     * @throws InvalidDestinationException if no destination can have this name
     */
    public MillraceQueue(String name) throws InvalidDestinationException {
        super(name);
    }

    @Override
    public String getQueueName() {
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
