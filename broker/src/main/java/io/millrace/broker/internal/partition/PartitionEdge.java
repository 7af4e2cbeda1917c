package io.millrace.broker.internal.partition;

import io.millrace.log.PartitionId;
import io.millrace.log.StorageException;
import io.millrace.wire.ErrorCode;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The edge of a partition: what goes wrong inside takes this partition offline and no other. Once offline nothing runs inside any more, and
 * whoever asks is told why. On the shard.
 */
final class PartitionEdge {

    /** What operators read says that it is of the partition. */
    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);

    private record Offline(ErrorCode code, String why) {}

    private final PartitionId partition;
    private final BiConsumer<ErrorCode, String> onOffline;
    private Optional<Offline> offline = Optional.empty();

    /**
     * Makes the edge of a partition that is not offline.
     *
     * @param onOffline tells everybody who waits, once, when it goes offline
     */
    PartitionEdge(PartitionId partition, BiConsumer<ErrorCode, String> onOffline) {
        this.partition = partition;
        this.onOffline = onOffline;
    }

    boolean isOffline() {
        return offline.isPresent();
    }

    /** Runs work inside, unless the partition is offline. */
    void guard(Runnable work) {
        if (offline.isPresent()) {
            return;
        }
        try {
            work.run();
        } catch (RuntimeException | Error fault) {
            fail(fault);
        }
    }

    /** Answers a request if the partition is offline. Returns whether it did. */
    boolean refuse(Reply<?> reply) {
        offline.ifPresent(present -> reply.onFailed(present.code, present.why));
        return offline.isPresent();
    }

    /** The same for a send. */
    boolean refuse(SendReply reply) {
        offline.ifPresent(present -> reply.onFailed(present.code, present.why));
        return offline.isPresent();
    }

    /** Goes offline for good, unless it is already. */
    void goOffline(ErrorCode code, String why) {
        if (offline.isEmpty()) {
            offline = Optional.of(new Offline(code, why));
            onOffline.accept(code, why);
        }
    }

    /** Goes offline by a fault: of the storage, or else a bug. */
    void fail(Throwable fault) {
        if (offline.isEmpty()) {
            boolean bug = !(fault instanceof StorageException);
            LoggingEventBuilder line = LOG.atError()
                    .addKeyValue("event", "partition_offline")
                    .addKeyValue("partition", partition)
                    .addKeyValue("cause", String.valueOf(fault.getMessage()));
            (bug ? line.setCause(fault) : line)
                    .log(bug ? "Partition is offline, by a bug in the broker" : "Partition is offline");
            goOffline(
                    ErrorCode.STORAGE_UNAVAILABLE,
                    "partition " + partition + " is offline until the broker is restarted: " + fault.getMessage());
        }
    }
}
