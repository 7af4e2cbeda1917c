package io.millrace.jms;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;
import java.io.InvalidObjectException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A temporary queue (Jakarta Messaging 4.1.5, 6.2.2): it belongs to the connection that created it, which alone may consume from it, and ends with it.
 * Whoever knows it, as by JMSReplyTo, may send to it.
 */
public final class MillraceTemporaryQueue extends MillraceQueue implements TemporaryQueue {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable TemporaryDeletion deletion;

    /**
     * Names a temporary queue that another connection may have.
     *
     * @throws InvalidDestinationException if no destination can have this name
     */
    public MillraceTemporaryQueue(String name) throws InvalidDestinationException {
        super(name);
        this.deletion = null;
    }

    /**
     * Names a temporary queue of a connection; for the provider itself.
     *
     * @param deletion deletes it
     * @throws InvalidDestinationException if no destination can have this name
     */
    public MillraceTemporaryQueue(String name, TemporaryDeletion deletion) throws InvalidDestinationException {
        super(name);
        this.deletion = deletion;
    }

    /**
     * Deletes it with its messages.
     *
     * @throws JMSException if it has consumers, or if this object was not returned by {@code createTemporaryQueue}
     */
    @Override
    public void delete() throws JMSException {
        TemporaryDeletion known = deletion;
        if (known == null) {
            throw TemporaryDeletion.notHere(this);
        }
        known.delete(this);
    }

    /** The name is checked again: the bytes may come from anywhere. */
    @Serial
    private Object readResolve() throws InvalidObjectException {
        try {
            return new MillraceTemporaryQueue(name());
        } catch (InvalidDestinationException e) {
            InvalidObjectException failure = new InvalidObjectException(e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }
}
