package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.shard.ShardTimer;
import io.millrace.coordinator.cursor.Acquisition;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.Grant;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.AbortedTransaction;
import io.millrace.log.LogSlice;
import io.millrace.log.OffsetOutOfRangeException;
import io.millrace.log.PartitionLog;
import io.millrace.wire.ErrorCode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The share groups that consume a partition (KIP-932): each member is lent records for a while, and says what became of them. A group is one
 * of the partition's cursors, which JMS consumers of {@code log::group} may take from too; what one holds the others do not get. On the shard.
 *
 * <p>A record comes back when its member releases it, leaves, or lets the time pass. Delivered as often as the group's terms allow, or
 * rejected, it counts as acknowledged.
 */
public final class ShareConsumers {

    /** Bytes that are looked through in one turn for records that can be lent. */
    private static final int MAX_READ_BYTES = 1024 * 1024;

    private static final int MAX_CANDIDATES = 10_000;

    private static final class Group {
        private final ShareLocks locks = new ShareLocks();
        private @Nullable ShardTimer timer;
        private int maxDeliveries = Integer.MAX_VALUE;
    }

    private final PartitionCursors cursors;
    private final PartitionLog data;
    private final ColdReads coldReads;
    private final Shard shard;
    private final PartitionEdge edge;
    private final PartitionCursorLog cursorLog;
    private final Runnable changed;
    private final Map<CursorId, Group> groups = new HashMap<>();
    /** Who waits, and is not in the cursor log's list yet. */
    private final Set<Reply<?>> unanswered = new LinkedHashSet<>();

    /** @param changed called when cursors were changed, so that the turn's end writes that and others look again */
    ShareConsumers(
            PartitionCursors cursors,
            PartitionLog data,
            ColdReads coldReads,
            Shard shard,
            PartitionEdge edge,
            PartitionCursorLog cursorLog,
            Runnable changed) {
        this.cursors = cursors;
        this.data = data;
        this.coldReads = coldReads;
        this.shard = shard;
        this.edge = edge;
        this.cursorLog = cursorLog;
        this.changed = changed;
    }

    /**
     * What a member wants.
     *
     * @param cursor of its group
     * @param maxRecords most records; a batch that has begun is lent whole, unless {@code strict}
     * @param maxBytes about how many bytes of batches
     * @param strict whether not one record more than asked for may be lent
     * @param highWatermark end of what may be lent
     */
    public record Wanted(
            CursorId cursor,
            ConsumerKey member,
            ShareTerms terms,
            int maxRecords,
            int maxBytes,
            boolean strict,
            long highWatermark) {}

    /** Lends records, if there are any; answered when that is in the cursor log. */
    public void acquire(Wanted wanted, Reply<ShareDelivery> reply) {
        inside(reply, () -> look(wanted, reply));
    }

    /** Whoever asks is answered, whatever goes wrong inside. */
    private void inside(Reply<?> reply, Runnable work) {
        if (!edge.refuse(reply)) {
            unanswered.add(reply);
            edge.guard(work);
        }
    }

    private <T> void answer(Reply<T> reply, T answer) {
        unanswered.remove(reply);
        reply.onDone(answer);
    }

    private void look(Wanted wanted, Reply<ShareDelivery> reply) {
        Optional<Cursor> known = cursors.cursor(wanted.cursor());
        if (known.isEmpty()) {
            unanswered.remove(reply);
            reply.onFailed(
                    ErrorCode.SUBSCRIPTION_NOT_FOUND,
                    "partition " + data.partition() + " has no cursor " + wanted.cursor());
            return;
        }
        Cursor cursor = known.get();
        List<OffsetRange> candidates = candidates(cursor, wanted);
        if (candidates.isEmpty()) {
            answer(reply, ShareDelivery.NOTHING);
            return;
        }
        long first = candidates.getFirst().firstOffset();
        int bytes = Math.clamp(wanted.maxBytes(), 1, MAX_READ_BYTES);
        if (coldReads.isCold(first)) {
            coldReads.read(first, bytes, wanted.highWatermark(), slice -> {
                if (unanswered.contains(reply)) {
                    edge.guard(() -> lendMeanwhile(first, slice, wanted, reply));
                }
            });
            return;
        }
        try {
            lend(cursor, candidates, first, data.read(first, bytes, wanted.highWatermark()), wanted, reply);
        } catch (OffsetOutOfRangeException e) {
            // Retention was faster.
            cursor.dropBelow(data.logStartOffset());
            changed.run();
            answer(reply, ShareDelivery.NOTHING);
        }
    }

    /** While the disk was read, others may have been lent something, and the cursor may be gone. */
    private void lendMeanwhile(long readAt, LogSlice slice, Wanted wanted, Reply<ShareDelivery> reply) {
        Optional<Cursor> cursor = cursors.cursor(wanted.cursor());
        if (cursor.isEmpty()) {
            look(wanted, reply);
        } else {
            lend(cursor.get(), candidates(cursor.get(), wanted), readAt, slice, wanted, reply);
        }
    }

    private List<OffsetRange> candidates(Cursor cursor, Wanted wanted) {
        long room = wanted.terms().maxLocked() - cursor.acquired();
        if (room <= 0 || wanted.maxRecords() <= 0) {
            return List.of();
        }
        int consumers = cursor.consumers();
        cursor.attach(wanted.member());
        if (cursor.consumers() > consumers) {
            // The turn's end has the cursor written ahead for somebody who consumes, and then there is something to
            // lend.
            changed.run();
        }
        return cursor.candidates(0, (int) Math.min(room, MAX_CANDIDATES)).stream()
                .filter(range -> range.firstOffset() < wanted.highWatermark())
                .map(range -> new OffsetRange(range.firstOffset(), Math.min(range.endOffset(), wanted.highWatermark())))
                .toList();
    }

    private void lend(
            Cursor cursor,
            List<OffsetRange> candidates,
            long readAt,
            LogSlice slice,
            Wanted wanted,
            Reply<ShareDelivery> reply) {
        ShareSelection selection = ShareSelection.of(
                slice, readAt, candidates, aborted(slice, wanted), wanted.maxRecords(), wanted.strict());
        selection.empty().forEach(cursor::skip);
        if (!selection.empty().isEmpty()) {
            changed.run();
        }
        if (selection.lendable().isEmpty()) {
            if (selection.empty().isEmpty()) {
                answer(reply, ShareDelivery.NOTHING);
            } else {
                look(wanted, reply);
            }
            return;
        }
        Acquisition acquisition = cursor.acquire(wanted.member(), selection.lendable());
        Group group = groups.computeIfAbsent(wanted.cursor(), id -> new Group());
        group.maxDeliveries = wanted.terms().maxDeliveries();
        long deadlineNs = shard.time().nanoTime() + wanted.terms().lockNs();
        for (Grant grant : acquisition.grants()) {
            OffsetRange range = new OffsetRange(grant.firstOffset(), grant.endOffset());
            // Who had them before lost them without a word here, as when an operator moves the cursor.
            group.locks.take(range);
            group.locks.add(
                    new ShareLocks.Lock(range, acquisition.id(), wanted.member(), grant.attempts(), deadlineNs));
        }
        schedule(wanted.cursor(), group);
        changed.run();
        unanswered.remove(reply);
        cursorLog.answerWhenWritten(reply, new ShareDelivery(selection.batches(), acquisition.grants()));
    }

    private List<AbortedTransaction> aborted(LogSlice slice, Wanted wanted) {
        return wanted.terms().committed() && !slice.isEmpty()
                ? data.abortedTransactions(slice.firstOffset(), slice.nextOffset())
                : List.of();
    }

    /**
     * Takes what a member says of its records: all of it, or nothing if it does not hold one of them. Of what the cursor has behind it there
     * is nothing to say any more, which is fine.
     *
     * @param lockNs how long those that are renewed may be kept from now on
     * @param reply told whether it was taken, once that is durable
     */
    public void acknowledge(
            CursorId id,
            ConsumerKey member,
            List<ShareAcknowledgement> acknowledgements,
            long lockNs,
            Reply<Boolean> reply) {
        inside(reply, () -> {
            Optional<Cursor> cursor = cursors.cursor(id);
            Group group = groups.getOrDefault(id, new Group());
            if (cursor.isEmpty()
                    || !acknowledgements.stream()
                            .allMatch(said -> group.locks.holdsAll(
                                    member, said.range(), cursor.get().earliestNeededOffset()))) {
                answer(reply, false);
                return;
            }
            for (ShareAcknowledgement acknowledgement : acknowledgements) {
                for (ShareLocks.Lock lock : group.locks.takeOf(member, acknowledgement.range())) {
                    apply(cursor.get(), group, lock, acknowledgement.verdict(), lockNs);
                }
            }
            schedule(id, group);
            changed.run();
            unanswered.remove(reply);
            cursorLog.answerWhenReplicated(reply, true);
        });
    }

    private void apply(
            Cursor cursor, Group group, ShareLocks.Lock lock, ShareAcknowledgement.Verdict verdict, long lockNs) {
        switch (verdict) {
            case ACCEPT, REJECT -> cursor.acknowledge(lock.member(), lock.acquisition(), List.of(lock.range()));
            case RELEASE -> giveBack(cursor, group, lock);
            case RENEW ->
                group.locks.add(new ShareLocks.Lock(
                        lock.range(),
                        lock.acquisition(),
                        lock.member(),
                        lock.deliveries(),
                        shard.time().nanoTime() + lockNs));
        }
    }

    /** It was tried, without success: the last time if that was often enough. */
    private static void giveBack(Cursor cursor, Group group, ShareLocks.Lock lock) {
        if (lock.deliveries() >= group.maxDeliveries) {
            cursor.acknowledge(lock.member(), lock.acquisition(), List.of(lock.range()));
        } else {
            cursor.release(lock.member(), lock.acquisition(), List.of(lock.range()), true);
        }
    }

    /** A member has left, or is lost: all that it holds comes back. */
    public void leave(CursorId id, ConsumerKey member) {
        edge.guard(() -> {
            Group group = groups.get(id);
            cursors.cursor(id).ifPresent(cursor -> {
                if (group != null) {
                    group.locks.takeOf(member).forEach(lock -> giveBack(cursor, group, lock));
                    schedule(id, group);
                }
                cursor.detach(member);
                changed.run();
            });
        });
    }

    /** The partition is offline: nothing is lent any more. */
    void closeAll(ErrorCode code, String why) {
        List<Reply<?>> waiting = List.copyOf(unanswered);
        unanswered.clear();
        waiting.forEach(reply -> reply.onFailed(code, why));
        groups.values().forEach(group -> {
            ShardTimer timer = group.timer;
            if (timer != null) {
                timer.cancel();
            }
        });
        groups.clear();
    }

    private void onDue(CursorId id) {
        Group group = groups.get(id);
        if (group == null) {
            return;
        }
        edge.guard(() -> {
            group.timer = null;
            List<ShareLocks.Lock> due = group.locks.takeDue(shard.time().nanoTime());
            cursors.cursor(id).ifPresent(cursor -> due.forEach(lock -> giveBack(cursor, group, lock)));
            schedule(id, group);
            if (!due.isEmpty()) {
                changed.run();
            }
        });
    }

    /** One timer for each group, at the first deadline. */
    private void schedule(CursorId id, Group group) {
        ShardTimer timer = group.timer;
        if (timer != null) {
            timer.cancel();
            group.timer = null;
        }
        group.locks
                .nextDueInNs(shard.time().nanoTime())
                .ifPresentOrElse(
                        delayNs -> group.timer = shard.schedule(delayNs, () -> onDue(id)), () -> groups.remove(id));
    }
}
