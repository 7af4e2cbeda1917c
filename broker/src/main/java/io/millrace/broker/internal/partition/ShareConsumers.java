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
import java.util.ArrayList;
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
 * rejected, it is {@linkplain GivenUpRecords given up}, and counts as acknowledged.
 */
public final class ShareConsumers {

    /** Bytes that are looked through in one turn for records that can be lent. */
    private static final int MAX_READ_BYTES = 1024 * 1024;

    private static final int MAX_CANDIDATES = 10_000;

    private static final class Group {
        private final ShareLocks locks = new ShareLocks();
        private @Nullable ShardTimer timer;
        private int maxDeliveries = Integer.MAX_VALUE;
        private DeadLetters deadLetters = DeadLetters.NONE;
    }

    private final PartitionCursors cursors;
    private final PartitionLog data;
    private final ColdReads coldReads;
    private final Shard shard;
    private final PartitionEdge edge;
    private final PartitionCursorLog cursorLog;
    private final Runnable changed;
    private final GivenUpRecords givenUp;
    private final Map<CursorId, Group> groups = new HashMap<>();
    private final Runnable onMoreMemory = this::onMoreMemory;
    /** Who has to be told when the memory for what is lent was used up and is not any more. */
    private Optional<Cursor> shortOfMemory = Optional.empty();
    /** Who waits, and is not in the cursor log's list yet. */
    private final Set<Reply<?>> unanswered = new LinkedHashSet<>();

    /**
     * Creates it for a partition.
     *
     * @param givenUp takes records that are given up
     * @param changed called when cursors were changed, so that the turn's end writes that and others look again
     */
    ShareConsumers(
            PartitionCursors cursors,
            PartitionLog data,
            ColdReads coldReads,
            Shard shard,
            PartitionEdge edge,
            PartitionCursorLog cursorLog,
            GivenUpRecords givenUp,
            Runnable changed) {
        this.cursors = cursors;
        this.data = data;
        this.coldReads = coldReads;
        this.shard = shard;
        this.edge = edge;
        this.cursorLog = cursorLog;
        this.givenUp = givenUp;
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
        if (cursor.isShort() && shortOfMemory.isEmpty()) {
            shortOfMemory = Optional.of(cursor);
            cursor.whenMoreMemory(onMoreMemory);
        }
        return cursor.candidates(0, (int) Math.min(room, MAX_CANDIDATES)).stream()
                .filter(range -> range.firstOffset() < wanted.highWatermark())
                .map(range -> new OffsetRange(range.firstOffset(), Math.min(range.endOffset(), wanted.highWatermark())))
                .toList();
    }

    /** The turn's end has those that wait look again. */
    private void onMoreMemory() {
        shard.execute(() -> edge.guard(() -> {
            shortOfMemory = Optional.empty();
            changed.run();
        }));
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
        Acquisition acquisition = cursor.acquire(
                wanted.member(),
                ShareCaution.portion(
                        cursor, selection.lendable(), wanted.terms().maxDeliveries()));
        Group group = groups.computeIfAbsent(wanted.cursor(), id -> new Group());
        group.maxDeliveries = wanted.terms().maxDeliveries();
        group.deadLetters = wanted.terms().deadLetters();
        List<Grant> lent = take(group, acquisition, wanted);
        schedule(wanted.cursor(), group);
        changed.run();
        if (lent.isEmpty()) {
            look(wanted, reply);
        } else {
            unanswered.remove(reply);
            cursorLog.answerWhenWritten(reply, new ShareDelivery(selection.batches(), lent));
        }
    }

    /**
     * Locks what was acquired, but for what was tried often enough before: it came back through somebody who does not give up, such as a JMS
     * consumer or a broker that died, or by more generous terms.
     */
    private List<Grant> take(Group group, Acquisition acquisition, Wanted wanted) {
        long deadlineNs = shard.time().nanoTime() + wanted.terms().lockNs();
        List<Grant> lent = new ArrayList<>();
        for (Grant grant : acquisition.grants()) {
            OffsetRange range = new OffsetRange(grant.firstOffset(), grant.endOffset());
            // Who had them before lost them without a word here, as when an operator moves the cursor.
            group.locks.take(range);
            ShareLocks.Lock lock =
                    new ShareLocks.Lock(range, acquisition.id(), wanted.member(), grant.attempts(), deadlineNs);
            if (grant.attempts() > group.maxDeliveries) {
                GivenUp tried = new GivenUp(range, grant.attempts() - 1, GivenUp.Reason.DELIVERED_TOO_OFTEN);
                giveUp(wanted.cursor(), group, lock, tried, () -> {});
            } else {
                group.locks.add(lock);
                lent.add(grant);
            }
        }
        return lent;
    }

    private void giveUp(CursorId id, Group group, ShareLocks.Lock lock, GivenUp records, Runnable done) {
        givenUp.add(id, group.deadLetters, new GivenUpRecords.Lent(records, lock.member(), lock.acquisition(), done));
    }

    private List<AbortedTransaction> aborted(LogSlice slice, Wanted wanted) {
        return wanted.terms().committed() && !slice.isEmpty()
                ? data.abortedTransactions(slice.firstOffset(), slice.nextOffset())
                : List.of();
    }

    /** What came of what a member said. */
    public enum Taken {
        /** It was taken. */
        ALL,
        /** The member does not hold one of the records. */
        NOT_HELD,
        /** One of the records was never lent to anybody. */
        NEVER_LENT
    }

    /**
     * Takes what a member says of its records: all of it, or nothing if it does not hold one of them. Of what the cursor has behind it there
     * is nothing to say any more, which is fine.
     *
     * @param lockNs how long those that are renewed may be kept from now on
     * @param reply told whether it was taken, once that is durable; of records that are rejected, when what is written about them is
     */
    public void acknowledge(
            CursorId id,
            ConsumerKey member,
            List<ShareAcknowledgement> acknowledgements,
            long lockNs,
            Reply<Taken> reply) {
        inside(reply, () -> {
            Optional<Cursor> known = cursors.cursor(id);
            Group group = groups.getOrDefault(id, new Group());
            if (known.isEmpty()) {
                answer(reply, Taken.NOT_HELD);
                return;
            }
            Cursor cursor = known.get();
            Taken taken = check(cursor, group, member, acknowledgements);
            if (taken != Taken.ALL) {
                answer(reply, taken);
                return;
            }
            OpenAnswer open = new OpenAnswer(() -> {
                unanswered.remove(reply);
                cursorLog.answerWhenReplicated(reply, Taken.ALL);
            });
            for (ShareAcknowledgement acknowledgement : acknowledgements) {
                for (ShareLocks.Lock lock : group.locks.takeOf(member, acknowledgement.range())) {
                    apply(id, cursor, group, lock, acknowledgement.verdict(), lockNs, open);
                }
            }
            schedule(id, group);
            changed.run();
            open.close();
        });
    }

    private static Taken check(
            Cursor cursor, Group group, ConsumerKey member, List<ShareAcknowledgement> acknowledgements) {
        long lentTo = cursor.nextFreshOffset();
        if (acknowledgements.stream().anyMatch(said -> said.range().endOffset() > lentTo)) {
            return Taken.NEVER_LENT;
        }
        long from = cursor.earliestNeededOffset();
        return acknowledgements.stream().allMatch(said -> group.locks.holdsAll(member, said.range(), from))
                ? Taken.ALL
                : Taken.NOT_HELD;
    }

    /** An answer that leaves when all have closed it: whoever applies what was said, and the records that are given up by it. */
    private static final class OpenAnswer {
        private final Runnable answer;
        private int open = 1;

        OpenAnswer(Runnable answer) {
            this.answer = answer;
        }

        void open() {
            open++;
        }

        void close() {
            if (--open == 0) {
                answer.run();
            }
        }
    }

    private void apply(
            CursorId id,
            Cursor cursor,
            Group group,
            ShareLocks.Lock lock,
            ShareAcknowledgement.Verdict verdict,
            long lockNs,
            OpenAnswer answer) {
        switch (verdict) {
            case ACCEPT -> cursor.acknowledge(lock.member(), lock.acquisition(), List.of(lock.range()));
            case REJECT -> {
                answer.open();
                GivenUp rejected = new GivenUp(lock.range(), lock.deliveries(), GivenUp.Reason.REJECTED);
                giveUp(id, group, lock, rejected, answer::close);
            }
            case RELEASE -> giveBack(id, cursor, group, lock);
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
    private void giveBack(CursorId id, Cursor cursor, Group group, ShareLocks.Lock lock) {
        if (lock.deliveries() >= group.maxDeliveries) {
            giveUp(
                    id,
                    group,
                    lock,
                    new GivenUp(lock.range(), lock.deliveries(), GivenUp.Reason.DELIVERED_TOO_OFTEN),
                    () -> {});
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
                    group.locks.takeOf(member).forEach(lock -> giveBack(id, cursor, group, lock));
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
        givenUp.clear();
        shortOfMemory.ifPresent(cursor -> cursor.whenMoreMemoryNoLonger(onMoreMemory));
        shortOfMemory = Optional.empty();
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
            cursors.cursor(id).ifPresent(cursor -> due.forEach(lock -> giveBack(id, cursor, group, lock)));
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
