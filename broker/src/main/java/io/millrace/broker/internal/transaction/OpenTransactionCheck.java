package io.millrace.broker.internal.transaction;

import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.Participants.Ending;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.wire.ErrorCode;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.internals.Topic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every ten seconds, and soon after the start, for transactions that are open in a partition and known to no coordinator, and has them
 * rolled back. A crash leaves such: a coordinator logs a decision with all that it concerns before anybody hears of it, but not each
 * transaction that has begun. A transaction is known to its coordinator before a partition has anything of it, so that none is taken for lost.
 */
public final class OpenTransactionCheck {

    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactionCheck.class);

    private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(10);

    private final Partitions partitions;
    private final TransactionCoordination coordination;
    private final OffsetsParticipant offsets;
    private final Shard control;
    private boolean closed;

    public OpenTransactionCheck(
            Partitions partitions, TransactionCoordination coordination, OffsetsParticipant offsets, Shard control) {
        this.partitions = partitions;
        this.coordination = coordination;
        this.offsets = offsets;
        this.control = control;
    }

    /** Begins to look. */
    public void start() {
        control.execute(() -> control.schedule(FIRST_NS, this::check));
    }

    /** Ends looking. */
    public void close() {
        control.execute(() -> closed = true);
    }

    private void check() {
        if (closed) {
            return;
        }
        for (Partition partition : partitions.all()) {
            if (partition.transactions().mayBeOpen()) {
                partition.shard().execute(() -> {
                    for (Participant.Part part : Participant.Part.values()) {
                        check(partition, part);
                    }
                });
            }
        }
        control.schedule(EVERY_NS, this::check);
    }

    private void check(Partition partition, Participant.Part part) {
        Map<ProducerIdentity, OptionalLong> open = partition.transactions().openSince(part);
        if (open.isEmpty()) {
            return;
        }
        var _ = coordination
                .ofAll(coordinator ->
                        open.keySet().stream().filter(coordinator::knows).toList())
                .whenComplete((known, failure) -> {
                    if (failure != null) {
                        // Not all coordinators are there: the next check may find out more.
                        LOG.debug("{} does not know yet what became of {}: {}", partition, open, failure.toString());
                        return;
                    }
                    Map<ProducerIdentity, OptionalLong> unknown = new HashMap<>(open);
                    known.forEach(some -> some.forEach(unknown::remove));
                    if (!unknown.isEmpty()) {
                        partition.shard().execute(() -> abandonIfOpen(partition, part, unknown));
                    }
                });
    }

    /** It may have ended meanwhile, and the next one of its producer have begun: old clients keep the epoch. */
    private void abandonIfOpen(
            Partition partition, Participant.Part part, Map<ProducerIdentity, OptionalLong> unknown) {
        Map<ProducerIdentity, OptionalLong> stillOpen = partition.transactions().openSince(part);
        unknown.forEach((one, since) -> {
            if (since.equals(stillOpen.get(one))) {
                abandon(partition, part, one);
            }
        });
    }

    private void abandon(Partition partition, Participant.Part part, ProducerIdentity unknown) {
        if (partition.id().logName().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
            // What groups keep of it in memory goes with it.
            var _ = offsets.end(partition.id().partition(), new Ending(unknown, unknown, false, 0));
            return;
        }
        partition.transactions().abandon(part, unknown, new Reply<>() {
            @Override
            public void onDone(Boolean abandoned) {
                if (abandoned) {
                    LOG.atInfo()
                            .addKeyValue("event", "transaction_abandoned")
                            .addKeyValue("partition", partition.id())
                            .addKeyValue("producer", unknown.id())
                            .addKeyValue("epoch", unknown.epoch())
                            .log("A transaction that no coordinator knows is rolled back here");
                }
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                LOG.debug("{} could not abandon {}: {} {}", partition, unknown, code, message);
            }
        });
    }
}
