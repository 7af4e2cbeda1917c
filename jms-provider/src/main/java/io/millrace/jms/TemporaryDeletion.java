package io.millrace.jms;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;

/** Deletes a temporary destination in the name of the connection that created it. */
@FunctionalInterface
public interface TemporaryDeletion {

    /**
     * Deletes a destination with its messages.
     *
     * @throws JMSException if it has consumers
     */
    void delete(MillraceDestination destination) throws JMSException;

    /** Returns why a destination that came with a message cannot be deleted. */
    static JMSException notHere(MillraceDestination destination) {
        return new InvalidDestinationException(
                destination
                        + " can be deleted only by the connection that created it, through the object that the creation returned");
    }
}
