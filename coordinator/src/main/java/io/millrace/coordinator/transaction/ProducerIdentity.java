package io.millrace.coordinator.transaction;

/**
 * Under which records and acknowledgements of a transaction are written.
 *
 * @param id producer id, given out once in the life of the cluster
 * @param epoch which transaction, or instance of the producer, under this id: 0 or more
 */
public record ProducerIdentity(long id, short epoch) {

    /** The last epoch that a transaction may have; one more is left for its markers. */
    public static final short LAST_EPOCH = Short.MAX_VALUE - 1;

    public ProducerIdentity {
        if (id < 0 || epoch < 0) {
            throw new IllegalArgumentException("producer " + id + " epoch " + epoch);
        }
    }

    /** Returns whether there is no epoch after this one for a further transaction. */
    public boolean isExhausted() {
        return epoch >= LAST_EPOCH;
    }

    /** Returns the epoch after this one: what is late and carries this one is refused from then on. */
    public ProducerIdentity bumped() {
        return new ProducerIdentity(id, (short) (epoch + 1));
    }

    @Override
    public String toString() {
        return "producer " + id + " epoch " + epoch;
    }
}
