package io.millrace.jms.internal.producer;

/**
 * What the server knows a producer by.
 *
 * @param producerId given by the server, 0 or more
 * @param epoch 0 or more; a higher one makes a new start with sequence 0
 */
public record ProducerIdentity(long producerId, short epoch) {

    /** Returns whether no higher epoch exists. */
    boolean exhausted() {
        return epoch == Short.MAX_VALUE;
    }

    /** Returns the same producer after a new start. */
    ProducerIdentity next() {
        return new ProducerIdentity(producerId, (short) (epoch + 1));
    }
}
