package io.millrace.broker.internal.transaction.admin;

import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.wire.frame.ParticipantStanding;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/** Asks partitions what they have of a transaction. */
public final class ParticipantStandings {

    private final Function<String, Optional<LogInfo>> logs;
    private final Partitions partitions;

    /**
     * Creates it.
     *
     * @param logs finds what exists now, by name
     */
    public ParticipantStandings(Function<String, Optional<LogInfo>> logs, Partitions partitions) {
        this.logs = logs;
        this.partitions = partitions;
    }

    /**
     * What a participant has.
     *
     * @param participant who
     * @param standing what
     * @param firstOffset where its records begin, if it has some
     */
    public record Standing(Participant participant, ParticipantStanding standing, OptionalLong firstOffset) {}

    CompletableFuture<Standing> of(Participant participant, TransactionRecord record) {
        return logs.apply(participant.log())
                .map(log -> partitions.find(log.logId(), participant.partition())
                                instanceof Partitions.Lookup.Found(Partition partition)
                        ? CompletableFuture.supplyAsync(() -> look(partition, participant, record), partition.shard())
                        : now(participant, ParticipantStanding.UNKNOWN))
                // It was deleted.
                .orElseGet(() -> now(participant, ParticipantStanding.NOTHING));
    }

    private static CompletableFuture<Standing> now(Participant participant, ParticipantStanding standing) {
        return CompletableFuture.completedFuture(new Standing(participant, standing, OptionalLong.empty()));
    }

    private static Standing look(Partition partition, Participant participant, TransactionRecord record) {
        Map<ProducerIdentity, OptionalLong> open = partition.transactions().openSince(participant.part());
        // While it ends, the current identity is that of its markers, and what it wrote has the one before.
        return Stream.concat(
                        Stream.of(record.current()),
                        record.state().isEnding() ? record.identities().previous().stream() : Stream.empty())
                .filter(open::containsKey)
                .findFirst()
                .map(own -> new Standing(
                        participant, ParticipantStanding.OPEN, open.getOrDefault(own, OptionalLong.empty())))
                .orElseGet(() -> new Standing(participant, ParticipantStanding.NOTHING, OptionalLong.empty()));
    }
}
