package io.millrace.log.internal.producer;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.ActiveProducer;
import io.millrace.log.AppendResult;
import io.millrace.log.OpenTransaction;
import io.millrace.log.internal.batch.AppendCheck;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.clean.CleanableLog.LastBatch;
import io.millrace.wire.record.ControlRecordType;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.InvalidBatchException;
import io.millrace.wire.record.RecordBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The producers of one partition. A producer's batches must follow each other by sequence number; one that was stored already, among the
 * last five, is answered with its offsets and not stored again. The state after any offset follows from the batches before it, so it is
 * rebuilt by reading them, from the newest snapshot on.
 *
 * <p>Bounded: beyond {@code maxProducers}, the one that was idle for longest is forgotten, unless its transaction is open.
 */
public final class ProducerStates implements AppendCheck.Producers {
    /** Kept in the order of their last use, oldest first. */
    private final Map<Long, ProducerEntry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /** Producer ids of open transactions by their first offset. */
    private final TreeMap<Long, Long> openTransactions = new TreeMap<>();

    private int maxProducers;
    private long endOffset;

    public ProducerStates(int maxProducers) {
        this.maxProducers = maxProducers;
    }

    /** The offset that this is the state at: all batches below it are counted in. */
    public long endOffset() {
        return endOffset;
    }

    public int size() {
        return entries.size();
    }

    public void maxProducers(int limit) {
        maxProducers = limit;
        forgetOverLimit();
    }

    /** First offset of the oldest open transaction. */
    public OptionalLong firstOpenOffset() {
        return openTransactions.isEmpty() ? OptionalLong.empty() : OptionalLong.of(openTransactions.firstKey());
    }

    /**
     * Checks a producer's batch.
     *
     * @param checkSequence whether sequence numbers must follow, as those of clients
     * @return what is wrong with it, or {@code null} if it may be appended
     * @throws InvalidBatchException if it is outside the producer's open transaction
     */
    @Override
    public @Nullable AppendResult check(BatchHeader header, boolean checkSequence) {
        if (!header.hasProducerId()) {
            return null;
        }
        ProducerEntry entry = entries.get(header.producerId());
        if (entry == null) {
            return null;
        }
        short epoch = header.producerEpoch();
        if (epoch < entry.epoch()) {
            return new AppendResult.ProducerFenced(entry.producerId(), entry.epoch(), epoch);
        }
        AppendResult bySequence = checkSequence && !header.isControl() ? checkSequence(header, entry) : null;
        if (bySequence == null && entry.inTransaction() && !header.isTransactional() && !header.isControl()) {
            throw new InvalidBatchException("producer " + entry.producerId() + " has a transaction open since offset "
                    + entry.transactionFirstOffset() + ", and its batch with sequence " + header.baseSequence()
                    + " is not transactional");
        }
        return bySequence;
    }

    /** Returns the sequence number that a batch of this producer and epoch has to begin with. */
    @Override
    public int nextSequence(BatchHeader header) {
        ProducerEntry entry = entries.get(header.producerId());
        return entry == null ? 0 : nextSequence(header, entry);
    }

    private static int nextSequence(BatchHeader header, ProducerEntry entry) {
        return header.producerEpoch() != entry.epoch() ? 0 : entry.nextSequence();
    }

    private static @Nullable AppendResult checkSequence(BatchHeader header, ProducerEntry entry) {
        int first = header.baseSequence();
        boolean newEpoch = header.producerEpoch() != entry.epoch();
        int expected = nextSequence(header, entry);
        if (first == expected) {
            return null;
        }
        for (int age = 0; age < entry.batchCount() && !newEpoch; age++) {
            ProducerEntry.Batch batch = entry.batch(age);
            if (batch.firstSequence() == first && batch.lastSequence() == header.lastSequence()) {
                return new AppendResult.Duplicate(batch.firstOffset(), batch.lastOffset(), batch.timestampMs());
            }
        }
        return new AppendResult.OutOfOrderSequence(entry.producerId(), header.producerEpoch(), expected, first);
    }

    /**
     * Counts an appended batch in.
     *
     * @param header the batch with its final offsets
     * @param marker the end of transaction that it is, if {@link BatchHeader#isTransactionMarker}
     * @param nowMs wall clock
     * @return the transaction that it aborted, if any
     */
    public Optional<AbortedTransaction> onAppended(
            BatchHeader header, @Nullable EndTransactionMarker marker, long nowMs) {
        endOffset = header.nextOffset();
        if (!header.hasProducerId() || (header.isControl() && marker == null)) {
            return Optional.empty();
        }
        ProducerEntry entry = entries.get(header.producerId());
        if (entry == null) {
            entry = new ProducerEntry(header.producerId(), header.producerEpoch(), nowMs);
            entries.put(header.producerId(), entry);
        }
        Optional<AbortedTransaction> aborted = Optional.empty();
        if (marker != null) {
            aborted = onMarker(entry, header, marker, nowMs);
        } else {
            entry.onBatch(header, nowMs);
            if (header.isTransactional() && !entry.inTransaction()) {
                entry.beginTransaction(header.baseOffset());
                openTransactions.put(header.baseOffset(), entry.producerId());
            }
        }
        // Only now: while it does not count as open, the transaction that begins could be the first to be forgotten.
        forgetOverLimit();
        return aborted;
    }

    private Optional<AbortedTransaction> onMarker(
            ProducerEntry entry, BatchHeader header, EndTransactionMarker marker, long nowMs) {
        long first = entry.transactionFirstOffset();
        boolean wasOpen = entry.inTransaction();
        entry.onMarker(header, marker.coordinatorEpoch(), nowMs);
        if (!wasOpen) {
            return Optional.empty();
        }
        openTransactions.remove(first);
        if (marker.type() != ControlRecordType.ABORT) {
            return Optional.empty();
        }
        long stable = firstOpenOffset().orElse(header.nextOffset());
        return Optional.of(new AbortedTransaction(entry.producerId(), first, header.lastOffset(), stable));
    }

    /**
     * Forgets producers that were idle too long and have no transaction open.
     *
     * @return how many
     */
    public int expire(long nowMs, long expirationMs) {
        int before = entries.size();
        Iterator<ProducerEntry> oldestFirst = entries.values().iterator();
        while (oldestFirst.hasNext()) {
            ProducerEntry entry = oldestFirst.next();
            if (!entry.inTransaction() && nowMs - entry.lastSeenMs() >= expirationMs) {
                oldestFirst.remove();
            }
        }
        return before - entries.size();
    }

    private void forgetOverLimit() {
        if (entries.size() == openTransactions.size()) {
            // Nobody can be forgotten, however many they are: their coordinators have limits.
            return;
        }
        Iterator<ProducerEntry> oldestFirst = entries.values().iterator();
        while (entries.size() > maxProducers && oldestFirst.hasNext()) {
            if (!oldestFirst.next().inTransaction()) {
                oldestFirst.remove();
            }
        }
    }

    /** Forgets everything, and starts again at an offset. */
    public void reset(long offset) {
        entries.clear();
        openTransactions.clear();
        endOffset = offset;
    }

    /** The first offset that is not decided, of a log with these bounds. */
    public long lastStableOffset(long logStartOffset, long logEndOffset) {
        return openTransactions.isEmpty() ? logEndOffset : Math.max(logStartOffset, openTransactions.firstKey());
    }

    /** The transactions that have not ended, the one that began first in front. */
    public List<OpenTransaction> openTransactions() {
        List<OpenTransaction> result = new ArrayList<>(openTransactions.size());
        openTransactions.forEach((firstOffset, producerId) -> {
            ProducerEntry entry = entries.get(producerId);
            if (entry != null) {
                result.add(new OpenTransaction(
                        producerId,
                        entry.epoch(),
                        firstOffset,
                        entry.batchCount() == 0 ? endOffset - 1 : entry.batch(0).lastOffset()));
            }
        });
        return result;
    }

    /** The epoch of a producer whose transaction is open, or -1 if it has none open. */
    public short openTransactionEpoch(long producerId) {
        if (openTransactions.isEmpty()) {
            return ProducerEntry.NO_EPOCH;
        }
        ProducerEntry entry = entries.get(producerId);
        return entry != null && entry.inTransaction() ? entry.epoch() : ProducerEntry.NO_EPOCH;
    }

    /** What is known of each producer, the one that was idle for longest first. */
    public List<ActiveProducer> active() {
        List<ActiveProducer> result = new ArrayList<>(entries.size());
        for (ProducerEntry entry : entries.values()) {
            result.add(new ActiveProducer(
                    entry.producerId(),
                    entry.epoch(),
                    entry.batchCount() == 0
                            ? RecordBatch.NO_SEQUENCE
                            : entry.batch(0).lastSequence(),
                    entry.lastTimestampMs(),
                    entry.coordinatorEpoch(),
                    entry.inTransaction() ? OptionalLong.of(entry.transactionFirstOffset()) : OptionalLong.empty()));
        }
        return result;
    }

    /** The last batch of each producer, which compaction has to leave. */
    public Map<Long, LastBatch> lastBatches() {
        Map<Long, LastBatch> result = new HashMap<>();
        for (ProducerEntry entry : entries.values()) {
            OptionalLong last = entry.batchCount() == 0
                    ? OptionalLong.empty()
                    : OptionalLong.of(entry.batch(0).lastOffset());
            result.put(entry.producerId(), new LastBatch(last, entry.epoch()));
        }
        return result;
    }

    /** The entries, oldest first. */
    Iterable<ProducerEntry> entries() {
        return entries.values();
    }

    /** Adds an entry of a snapshot. */
    void restore(ProducerEntry entry) {
        entries.put(entry.producerId(), entry);
        if (entry.inTransaction()) {
            openTransactions.put(entry.transactionFirstOffset(), entry.producerId());
        }
    }
}
