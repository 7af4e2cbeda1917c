package io.millrace.broker.internal.transaction.admin;

import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.broker.internal.transaction.client.ClientTransactions;
import io.millrace.coordinator.transaction.OperatorTransactions;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.TransactionCoordinator;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.coordinator.transaction.TransactionKind;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.wire.frame.TransactionDecision;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of all coordinators of this broker, for an operator. Nothing is created by looking: where transactions were never used there
 * are none. Stages fail with {@link TransactionException}.
 */
public final class TransactionAdmin {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionAdmin.class);

    private static final Comparator<TransactionRecord> OLDEST_FIRST = Comparator.comparingLong(
                    (TransactionRecord record) -> record.startedMs() < 0 ? Long.MAX_VALUE : record.startedMs())
            .thenComparing(TransactionRecord::id);

    private final TransactionCoordination coordination;
    private final ClientTransactions clients;
    private final ParticipantStandings standings;

    public TransactionAdmin(
            TransactionCoordination coordination, ClientTransactions clients, ParticipantStandings standings) {
        this.coordination = coordination;
        this.clients = clients;
        this.standings = standings;
    }

    /**
     * All that is known of a transaction.
     *
     * @param record as its coordinator has it
     * @param sessions that work on it, with their clients, for people to read
     * @param participants what they have of it, in the order of the record
     */
    public record Description(
            TransactionRecord record, List<String> sessions, List<ParticipantStandings.Standing> participants) {}

    private record Known(TransactionRecord record, Set<UUID> sessions) {}

    /** Returns those that are wanted, the oldest first. */
    public CompletionStage<List<TransactionRecord>> list(Predicate<TransactionRecord> wanted) {
        return coordination
                .ofAll(TransactionCoordinator::list)
                .thenApply(all -> all.stream()
                        .flatMap(Collection::stream)
                        .filter(wanted)
                        .sorted(OLDEST_FIRST)
                        .toList());
    }

    /** Returns all that is known of one. */
    public CompletionStage<Description> describe(String id) {
        return this.<Optional<Known>>call(
                        id, at -> CompletableFuture.completedStage(at.find(id).map(record -> known(at, record))))
                .thenCompose(found -> found.map(this::describe)
                        .orElseGet(() -> CompletableFuture.failedStage(OperatorTransactions.unknownId(id))));
    }

    private static Known known(TransactionCoordinator at, TransactionRecord record) {
        return new Known(
                record, record.origin().xid().map(at.branches()::sessions).orElseGet(Set::of));
    }

    private CompletionStage<Description> describe(Known known) {
        TransactionRecord record = known.record;
        List<String> sessions = record.origin().kind() == TransactionKind.SESSION
                ? clients.describe(session -> record.id().startsWith(ClientTransactions.namesOf(session)))
                : clients.describe(known.sessions::contains);
        List<CompletableFuture<ParticipantStandings.Standing>> asked = record.participants().stream()
                .map((Participant participant) -> standings.of(participant, record))
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(done -> new Description(
                        record,
                        sessions,
                        asked.stream().map(CompletableFuture::join).toList()));
    }

    /**
     * Does what an operator decided.
     *
     * @param principal who that is, for the log
     */
    public CompletionStage<Void> decide(String id, TransactionDecision decision, String principal) {
        return this.<Void>call(id, at -> switch (decision) {
                    case COMMIT -> at.operators().commit(id);
                    case ROLL_BACK -> at.operators().rollback(id);
                    case FORGET -> at.operators().forget(id);
                })
                .thenRun(() -> LOG.atInfo()
                        .addKeyValue("event", "transaction_decided")
                        .addKeyValue("transaction", id)
                        .addKeyValue("decision", decision.word())
                        .addKeyValue("principal", principal)
                        .log("An operator decided about a transaction"));
    }

    private <T> CompletableFuture<T> call(String id, Function<TransactionCoordinator, CompletionStage<T>> call) {
        return coordination.isUsed()
                ? coordination.call(id, call)
                : CompletableFuture.failedFuture(OperatorTransactions.unknownId(id));
    }
}
