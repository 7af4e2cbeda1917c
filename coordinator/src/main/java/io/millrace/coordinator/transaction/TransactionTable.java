package io.millrace.coordinator.transaction;

import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The transactions of one coordinator, by id and by producer id. */
final class TransactionTable {

    private final Map<String, Transaction> byId = new HashMap<>();
    private final Map<Long, Transaction> byProducer = new HashMap<>();
    /** Those that may time out, in the order in which they began. */
    private final Set<Transaction> ongoing = new LinkedHashSet<>();
    /** Branches that wait for a decision. */
    private final Set<Transaction> prepared = new LinkedHashSet<>();
    /** Those of sessions that are gone, and may come back to ask what came of a commit, in the order in which they left. */
    private final Set<Transaction> abandoned = new LinkedHashSet<>();

    private int producers;

    Optional<Transaction> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    Optional<Transaction> ofProducer(long producerId) {
        return Optional.ofNullable(byProducer.get(producerId));
    }

    void add(Transaction transaction) {
        byId.put(transaction.id(), transaction);
        if (transaction.isOfProducer()) {
            producers++;
        }
        byProducer.put(transaction.record().current().id(), transaction);
        follow(transaction);
    }

    void become(Transaction transaction, TransactionRecord record, long nowNs) {
        long before = transaction.record().current().id();
        transaction.become(record, nowNs);
        if (before != record.current().id()) {
            byProducer.remove(before, transaction);
            byProducer.put(record.current().id(), transaction);
        }
        follow(transaction);
    }

    /** Has a transaction go on with these participants too, without a record of that in the log. */
    void addParticipants(Transaction transaction, Collection<Participant> participants, TimeSource time) {
        TransactionRecord record = transaction.record();
        if (record.state() != TransactionState.ONGOING || !record.participants().containsAll(participants)) {
            become(
                    transaction,
                    record.ongoing(participants, TransactionOrigin.BUMPS_EPOCH, time.wallClockMs()),
                    time.nanoTime());
        }
    }

    private void follow(Transaction transaction) {
        if (transaction.record().state() == TransactionState.ONGOING) {
            ongoing.add(transaction);
        } else {
            ongoing.remove(transaction);
        }
        if (transaction.record().state().isPromised()) {
            prepared.add(transaction);
        } else {
            prepared.remove(transaction);
        }
    }

    /** Nobody has it open any more: it is only kept for whoever asks what came of it. */
    void abandon(Transaction transaction) {
        abandoned.add(transaction);
    }

    boolean isAbandoned(Transaction transaction) {
        return abandoned.contains(transaction);
    }

    void remove(Transaction transaction) {
        if (byId.remove(transaction.id(), transaction) && transaction.isOfProducer()) {
            producers--;
        }
        abandoned.remove(transaction);
        // Unless another one has the producer id since: that this one is over may not have got into the log.
        byProducer.remove(transaction.record().current().id(), transaction);
        ongoing.remove(transaction);
        prepared.remove(transaction);
        transaction.forget();
    }

    /** Returns how many of sessions that are gone are kept. */
    int abandoned() {
        return abandoned.size();
    }

    /** Returns how many sessions and branches there are, without those that were abandoned. */
    int inUse() {
        return byId.size() - producers - abandoned.size();
    }

    /** Returns how many transactional ids of producers there are. */
    int producers() {
        return producers;
    }

    /** Returns those that nobody needs of a producer, the longest unused one; empty if all are in the middle of something. */
    Optional<Transaction> leastUsedOfProducers(long nowNs) {
        return byId.values().stream()
                .filter(one -> one.isOfProducer() && one.isIdle())
                .max(Comparator.comparingLong(one -> nowNs - one.touchedNs()));
    }

    /** Returns the oldest of those that were abandoned, as many as are more than a limit. */
    List<Transaction> abandonedBeyond(int limit) {
        return abandoned.stream()
                .filter(Transaction::isIdle)
                .limit(Math.max(0, abandoned.size() - limit))
                .toList();
    }

    Collection<Transaction> all() {
        return List.copyOf(byId.values());
    }

    /** Returns the branches that wait for a decision, to be looked at. */
    Collection<Transaction> prepared() {
        return Collections.unmodifiableSet(prepared);
    }

    /** Returns those that are ongoing, the one that began first in front. */
    List<Transaction> ongoing() {
        return new ArrayList<>(ongoing);
    }
}
