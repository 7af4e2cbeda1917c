package io.millrace.wire.message;

import java.util.Objects;
import java.util.UUID;

/**
 * Where a record was read: what it takes to see a record of a Kafka client as a message.
 *
 * @param log identity of the log
 * @param partition 0 or more
 * @param bodyDefault the log's {@code jms.body.default}
 */
public record RecordOrigin(UUID log, int partition, BodyDefault bodyDefault) {
    public RecordOrigin {
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(bodyDefault, "bodyDefault");
        if (partition < 0) {
            throw new IllegalArgumentException("partition must not be negative, is " + partition);
        }
    }
}
