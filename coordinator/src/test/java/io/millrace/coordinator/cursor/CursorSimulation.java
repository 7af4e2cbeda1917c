package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * One partition with its cursors, a cursor log, a data log and clients, in one thread under one seed: random work, and crashes at any
 * step. After every step the invariants are checked.
 */
final class CursorSimulation {

    private static final List<ConsumerKey> CONSUMERS = List.of(
            new ConsumerKey(new UUID(0, 1), 1),
            new ConsumerKey(new UUID(0, 1), 2),
            new ConsumerKey(new UUID(0, 2), 1),
            new ConsumerKey(new UUID(0, 3), 1));

    /** Records that a client got. */
    private record Delivery(CursorId cursor, ConsumerKey consumer, AcquisitionId acquisition, Set<Long> open) {
        NaiveCursor.Lent lent() {
            return new NaiveCursor.Lent(consumer, acquisition);
        }
    }

    /** An answer that waits until the cursor log is safe up to an offset. */
    private record WaitingAnswer(CursorTruth truth, long logEndOffset, List<SimulatedData.Entry> acknowledged) {}

    private final SplittableRandom random;
    private final CursorLimits limits;
    private final SimulatedData data;
    private final FakeCursorLog log = new FakeCursorLog();
    private final Map<CursorId, CursorTruth> truths = new LinkedHashMap<>();
    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<WaitingAnswer> waiting = new ArrayList<>();
    private final List<WaitingAnswer> answersOfTurn = new ArrayList<>();
    private final List<Runnable> sends = new ArrayList<>();
    /** Transactions under way, by producer id, and what was decided about those before. */
    private final Map<Long, ProducerIdentity> transactions = new HashMap<>();

    private final Map<ProducerIdentity, Boolean> decisions = new HashMap<>();

    /** Every record that survived, removed segments included. */
    private final List<CursorRecord> history = new ArrayList<>();

    private PartitionCursors cursors;
    private CursorStates follower = new CursorStates();
    private long brokerEpoch;
    private int nextSubscription = 1;
    private boolean uncertain;
    private boolean everUncertain;
    private long pendingImageStart = -1;
    private long pendingImageEnd = -1;

    // What a run did, so that a test can see that it was worth something.
    final Map<String, Integer> did = new HashMap<>();

    CursorSimulation(long seed) {
        random = new SplittableRandom(seed);
        limits = new CursorLimits(random.nextInt(3, 40), random.nextInt(1, 20));
        data = new SimulatedData(random.nextBoolean());
        cursors = new PartitionCursors(limits);
        lead();
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
            check();
        }
        drain();
    }

    private void step() {
        int choice = random.nextInt(100);
        if (choice < 14) {
            for (int i = random.nextInt(6); i >= 0; i--) {
                data.append(random);
            }
            cursors.onHighWatermark(data.highWatermark());
        } else if (choice < 24) {
            data.sync();
            cursors.onHighWatermark(data.highWatermark());
        } else if (choice < 74) {
            turn();
        } else if (choice < 90) {
            syncCursorLog();
        } else if (choice < 93) {
            roll();
        } else if (choice < 96) {
            cursors.removableBelow().ifPresent(offset -> data.removeBelow(Math.min(offset, data.highWatermark())));
        } else {
            crash();
        }
    }

    // ---- a turn of the shard ------------------------------------------------------------------------------------

    private void turn() {
        for (int i = random.nextInt(4); i >= 0; i--) {
            operation();
        }
        if (random.nextInt(40) == 0) {
            crash();
            return;
        }
        endTurn();
        if (random.nextInt(40) == 0) {
            crash();
            return;
        }
        sends.forEach(Runnable::run);
        sends.clear();
    }

    private void endTurn() {
        List<CursorRecord> records = cursors.endTurn().records();
        if (!records.isEmpty()) {
            append(records);
        }
        for (CursorTruth truth : truths.values()) {
            truth.onAppended(log.endOffset());
        }
        for (WaitingAnswer answer : answersOfTurn) {
            waiting.add(new WaitingAnswer(answer.truth(), log.endOffset(), answer.acknowledged()));
        }
        answersOfTurn.clear();
        uncertain = false;
        assertThat(follower.image()).as("replay of what was written").isEqualTo(cursors.image());
    }

    private void append(List<CursorRecord> records) {
        cursors.onAppended(log.append(records));
        history.addAll(records);
        records.forEach(follower::replay);
    }

    private void operation() {
        List<CursorTruth> existing =
                truths.values().stream().filter(CursorTruth::exists).toList();
        int choice = random.nextInt(100);
        if (existing.isEmpty() || choice < 2) {
            create(existing);
            return;
        }
        CursorTruth truth = existing.get(random.nextInt(existing.size()));
        Cursor cursor = cursors.cursor(truth.id).orElseThrow();
        if (choice < 36) {
            dispatch(truth, cursor, CONSUMERS.get(random.nextInt(CONSUMERS.size())), random.nextInt(1, 8));
        } else if (choice < 58) {
            acknowledge();
        } else if (choice < 68) {
            acknowledgePending();
        } else if (choice < 76) {
            if (random.nextBoolean()) {
                decide(transaction(random.nextInt(2)), random.nextInt(3) > 0);
            } else {
                leave(transaction(random.nextInt(2)));
            }
        } else if (choice < 86) {
            release();
        } else if (choice < 89) {
            consumerGone(CONSUMERS.get(random.nextInt(CONSUMERS.size())));
        } else if (choice < 91) {
            sessionGone(CONSUMERS.get(random.nextInt(CONSUMERS.size())).sessionId());
        } else if (choice < 94) {
            reattach(truth, cursor, CONSUMERS.get(random.nextInt(CONSUMERS.size())));
        } else if (choice < 96) {
            move(truth, cursor, random.nextLong(data.startOffset(), data.highWatermark() + 1));
        } else if (choice < 98) {
            dropBelow(truth, cursor, random.nextLong(0, data.highWatermark() + 1));
        } else if (existing.size() > 1) {
            cursors.delete(truth.id);
            truth.deletedAt = CursorTruth.PENDING;
            did("delete");
        }
    }

    private void create(List<CursorTruth> existing) {
        if (existing.size() > 3) {
            return;
        }
        long start = random.nextBoolean() ? data.startOffset() : data.highWatermark();
        CursorId id = new CursorId(new UUID(0, nextSubscription++));
        boolean durable = random.nextInt(4) > 0;
        if (durable) {
            cursors.create(id, start);
        } else {
            cursors.createNonDurable(id, start);
        }
        truths.put(id, new CursorTruth(id, durable, start));
        did("create");
    }

    private void dispatch(CursorTruth truth, Cursor cursor, ConsumerKey consumer, int credit) {
        long from = random.nextInt(8) == 0 ? random.nextLong(data.highWatermark() + 1) : 0;
        List<OffsetRange> chosen = new ArrayList<>();
        for (long offset : NaiveCursor.offsets(cursor.candidates(from, credit))) {
            if (data.entry(offset).control()) {
                cursor.skip(OffsetRange.of(offset));
                truth.change(position -> position.acknowledge(offset));
            } else if (from == 0 || random.nextInt(4) > 0) {
                chosen.add(OffsetRange.of(offset));
            }
        }
        if (chosen.isEmpty()) {
            return;
        }
        cursor.attach(consumer);
        Acquisition acquisition = cursor.acquire(consumer, chosen);
        Delivery delivery = new Delivery(truth.id, consumer, acquisition.id(), new TreeSet<>());
        truth.inOrder &=
                truth.holders.values().stream().allMatch(lent -> lent.consumer().equals(consumer)) && from == 0;
        for (Grant grant : acquisition.grants()) {
            for (long offset = grant.firstOffset(); offset < grant.endOffset(); offset++) {
                lent(truth, grant, offset, delivery);
            }
        }
        did("acquire");
        sends.add(() -> deliveries.add(delivery));
    }

    private void lent(CursorTruth truth, Grant grant, long offset, Delivery delivery) {
        SimulatedData.Entry entry = data.entry(offset);
        Supplier<String> what = () -> "cursor " + truth.id + ", record " + entry + ", " + grant;
        require(offset < data.highWatermark(), "lent above the high watermark", what);
        require(truth.holders.putIfAbsent(offset, delivery.lent()) == null, "lent to two", what);
        require(!truth.confirmed.contains(entry), "delivered after a confirmed acknowledgement", what);
        require(!truth.position.isAcknowledged(offset), "delivered though acknowledged", what);
        require(!truth.position.pending.containsKey(offset), "delivered though its acknowledgement is pending", what);
        require(!grant.guessed() || everUncertain, "guess without a reason", what);
        require(!truth.inOrder || offset > truth.highestLent, "out of order", what);
        if (truth.seen.getOrDefault(entry, 0) > 0) {
            require(grant.deliveryCount() >= 2, "redelivered without saying so", what);
            did("redelivered");
        }
        truth.change(position -> position.count(offset, 1));
        require(truth.position.attempts(offset) == grant.attempts(), "attempts miscounted", what);
        truth.highestLent = Math.max(truth.highestLent, offset);
        delivery.open().add(offset);
        sends.add(() -> {
            // What was taken back within the turn is not sent.
            if (delivery.lent().equals(truth.holders.get(offset))) {
                truth.seen.merge(entry, 1, Integer::sum);
            }
        });
    }

    /** Some client acknowledges some of what it has or had: current acquisitions, and some of a former term. */
    private void acknowledge() {
        if (deliveries.isEmpty()) {
            return;
        }
        Delivery delivery = deliveries.get(random.nextInt(deliveries.size()));
        CursorTruth truth = truths.get(delivery.cursor());
        if (truth == null || !truth.exists()) {
            return;
        }
        List<Long> offsets = some(delivery.open());
        if (offsets.isEmpty()) {
            return;
        }
        List<Long> expectRefused = new ArrayList<>();
        List<SimulatedData.Entry> acknowledged = new ArrayList<>();
        for (long offset : offsets) {
            if (delivery.lent().equals(truth.holders.get(offset))) {
                truth.holders.remove(offset);
                truth.change(position -> position.acknowledge(offset));
                acknowledged.add(data.entry(offset));
            } else if (!truth.position.isAcknowledged(offset)) {
                expectRefused.add(offset);
            }
            delivery.open().remove(offset);
        }
        AcknowledgeResult result = cursors.cursor(truth.id)
                .orElseThrow()
                .acknowledge(delivery.consumer(), delivery.acquisition(), ranges(offsets));
        assertThat(NaiveCursor.offsets(result.refused())).isEqualTo(expectRefused);
        assertThat(result.acknowledged()).isEqualTo(acknowledged.size());
        if (truth.durable) {
            answersOfTurn.add(new WaitingAnswer(truth, CursorTruth.PENDING, acknowledged));
        }
        did(expectRefused.isEmpty() ? "acknowledge" : "refused");
    }

    // ---- transactions -------------------------------------------------------------------------------------------

    private ProducerIdentity transaction(long producerId) {
        return transactions.computeIfAbsent(producerId, id -> new ProducerIdentity(id, (short) 0));
    }

    private void acknowledgePending() {
        if (deliveries.isEmpty()) {
            return;
        }
        Delivery delivery = deliveries.get(random.nextInt(deliveries.size()));
        CursorTruth truth = truths.get(delivery.cursor());
        List<Long> offsets = some(delivery.open());
        if (truth == null || !truth.exists() || offsets.isEmpty()) {
            return;
        }
        ProducerIdentity transaction = transaction(random.nextInt(2));
        makeWay(transaction);
        List<Long> expectRefused = new ArrayList<>();
        for (long offset : offsets) {
            if (delivery.lent().equals(truth.holders.get(offset))) {
                truth.holders.remove(offset);
                truth.change(position -> position.pending.put(offset, transaction));
            } else if (!truth.position.isAcknowledged(offset)
                    && !transaction.equals(truth.position.pending.get(offset))) {
                expectRefused.add(offset);
            }
            delivery.open().remove(offset);
        }
        AcknowledgeResult result = cursors.cursor(truth.id)
                .orElseThrow()
                .acknowledgePending(delivery.consumer(), delivery.acquisition(), ranges(offsets), transaction);
        assertThat(NaiveCursor.offsets(result.refused())).isEqualTo(expectRefused);
        did("pending");
    }

    /** Nobody decides about a transaction, and the next one under its producer id comes. */
    private void leave(ProducerIdentity transaction) {
        decisions.put(transaction, false);
        transactions.put(transaction.id(), transaction.bumped());
    }

    /** What was decided is told before the next transaction begins under its producer id; what was left is rolled back by that one. */
    private void makeWay(ProducerIdentity transaction) {
        ProducerIdentity open = cursors.transactions().open(transaction.id()).orElse(transaction);
        if (!open.equals(transaction) && decisions.getOrDefault(open, false)) {
            tell(open, true);
        } else if (!open.equals(transaction)) {
            truths.values().forEach(truth -> {
                truth.change(position -> position.end(open, false));
                truth.inOrder = false;
            });
            did("make way");
        }
    }

    /** The coordinator, which remembers everything, has decided, and tells. */
    private void decide(ProducerIdentity transaction, boolean commit) {
        decisions.put(transaction, commit);
        transactions.put(transaction.id(), transaction.bumped());
        tell(transaction, commit);
    }

    private void tell(ProducerIdentity transaction, boolean commit) {
        boolean open = cursors.transactions().open(transaction.id()).isPresent();
        cursors.transactions().end(transaction, transaction.bumped(), commit);
        for (CursorTruth truth : truths.values()) {
            List<SimulatedData.Entry> acknowledged = new ArrayList<>();
            truth.position.pending.forEach((offset, by) -> {
                if (by.equals(transaction)) {
                    acknowledged.add(data.entry(offset));
                }
            });
            // What is older than the transaction comes back.
            truth.inOrder &= truth.position.pending.values().stream().noneMatch(by -> by.id() == transaction.id());
            truth.change(position -> position.end(transaction, commit));
            if (commit && truth.durable) {
                answersOfTurn.add(new WaitingAnswer(truth, CursorTruth.PENDING, acknowledged));
            }
        }
        if (open) {
            did(commit ? "commit" : "roll back");
        }
    }

    /** A new leader asks about what it finds open: some was decided before, and of the rest nobody knows, or it is prepared. */
    private void askAboutOpen() {
        for (ProducerIdentity open : cursors.transactions().open()) {
            Boolean decision = decisions.get(open);
            if (decision != null) {
                tell(open, decision);
                did("told again");
            } else if (random.nextBoolean()) {
                decide(open, false);
            }
        }
    }

    private void release() {
        if (deliveries.isEmpty()) {
            return;
        }
        Delivery delivery = deliveries.get(random.nextInt(deliveries.size()));
        CursorTruth truth = truths.get(delivery.cursor());
        if (truth == null || !truth.exists()) {
            return;
        }
        boolean seen = random.nextBoolean();
        List<Long> offsets = some(delivery.open());
        if (offsets.isEmpty()) {
            return;
        }
        for (long offset : offsets) {
            delivery.open().remove(offset);
            if (delivery.lent().equals(truth.holders.get(offset))) {
                comesBack(truth, offset, seen);
            }
        }
        cursors.cursor(truth.id)
                .orElseThrow()
                .release(delivery.consumer(), delivery.acquisition(), ranges(offsets), seen);
        did("release");
    }

    private void consumerGone(ConsumerKey consumer) {
        for (CursorTruth truth : truths.values()) {
            if (truth.exists()) {
                cursors.cursor(truth.id).orElseThrow().onConsumerGone(consumer);
            }
        }
        takeFrom(List.of(consumer));
        did("consumer gone");
    }

    private void sessionGone(UUID session) {
        cursors.onSessionGone(session);
        takeFrom(CONSUMERS.stream()
                .filter(consumer -> consumer.sessionId().equals(session))
                .toList());
        did("session gone");
    }

    private void takeFrom(List<ConsumerKey> gone) {
        for (CursorTruth truth : truths.values()) {
            truth.holders.values().removeIf(lent -> gone.contains(lent.consumer()));
            truth.inOrder = false;
        }
    }

    /** A client comes back and names some of what it has; what was on its way to it is lost. */
    private void reattach(CursorTruth truth, Cursor cursor, ConsumerKey consumer) {
        List<HeldRecords> held = new ArrayList<>();
        Set<Long> named = new TreeSet<>();
        for (Delivery delivery : deliveries) {
            if (delivery.cursor().equals(truth.id) && delivery.consumer().equals(consumer)) {
                List<Long> offsets = some(delivery.open());
                held.add(new HeldRecords(delivery.acquisition(), ranges(offsets)));
                offsets.stream()
                        .filter(offset -> delivery.lent().equals(truth.holders.get(offset)))
                        .forEach(named::add);
            }
        }
        cursor.reattach(consumer, held);
        for (Map.Entry<Long, NaiveCursor.Lent> holder : List.copyOf(truth.holders.entrySet())) {
            if (holder.getValue().consumer().equals(consumer) && !named.contains(holder.getKey())) {
                comesBack(truth, holder.getKey(), false);
            }
        }
        did("reattach");
    }

    private void comesBack(CursorTruth truth, long offset, boolean seen) {
        truth.holders.remove(offset);
        truth.inOrder = false;
        if (!seen) {
            truth.change(position -> position.count(offset, -1));
            truth.seen.merge(data.entry(offset), -1, Integer::sum);
        }
    }

    private void move(CursorTruth truth, Cursor cursor, long target) {
        cursor.moveTo(target);
        for (long offset = target; offset < data.highWatermark(); offset++) {
            if (truth.position.isAcknowledged(offset)) {
                truth.seen.remove(data.entry(offset));
            }
        }
        truth.confirmed.removeIf(entry -> entry.offset() >= target);
        for (List<WaitingAnswer> answers : List.of(waiting, answersOfTurn)) {
            for (WaitingAnswer answer : answers) {
                answer.acknowledged().removeIf(entry -> answer.truth().equals(truth) && entry.offset() >= target);
            }
        }
        truth.change(position -> position.moveTo(target));
        truth.holders.keySet().removeIf(offset -> offset < target);
        truth.inOrder = false;
        did("move");
    }

    private void dropBelow(CursorTruth truth, Cursor cursor, long offset) {
        cursor.dropBelow(offset);
        truth.change(position -> {
            for (long dropped = position.first; dropped < offset; dropped++) {
                position.acknowledge(dropped);
            }
        });
        truth.holders.keySet().removeIf(held -> held < offset);
        did("drop below");
    }

    // ---- the disk and the machine -------------------------------------------------------------------------------

    private void syncCursorLog() {
        log.sync();
        cursors.onCursorLogHighWatermark(log.syncedOffset());
        waiting.removeIf(answer -> {
            boolean answered = answer.logEndOffset() <= log.syncedOffset();
            if (answered) {
                answer.truth().confirmed.addAll(answer.acknowledged());
            }
            return answered;
        });
        if (pendingImageEnd >= 0 && pendingImageEnd <= log.syncedOffset()) {
            log.removeSegmentsBelow(pendingImageStart);
            pendingImageEnd = -1;
            did("remove segments");
        }
    }

    /** A new segment opens with an image, in several batches so that a crash can tear it. */
    private void roll() {
        pendingImageEnd = -1;
        pendingImageStart = log.endOffset();
        List<CursorRecord> image = cursors.image();
        for (int from = 0; from < image.size(); ) {
            int to = Math.min(image.size(), from + random.nextInt(1, 4));
            append(image.subList(from, to));
            from = to;
            if (random.nextInt(20) == 0) {
                crash();
                return;
            }
        }
        pendingImageEnd = log.endOffset();
        did("roll");
    }

    private void crash() {
        if (random.nextBoolean()) {
            log.cutPower(random);
            data.cutPower(random);
            uncertain = true;
            everUncertain = true;
            did("power cut");
        } else {
            log.restart();
            data.sync();
            did("kill");
        }
        history.subList(Math.toIntExact(log.endOffset()), history.size()).clear();
        pendingImageEnd = pendingImageEnd > log.endOffset() ? -1 : pendingImageEnd;
        sends.clear();
        answersOfTurn.clear();
        waiting.clear();
        truths.values().removeIf(truth -> !truth.onCrash(log.endOffset()));
        while (deliveries.size() > 8) {
            deliveries.removeFirst();
        }
        restart();
    }

    private void restart() {
        follower = new CursorStates();
        history.forEach(follower::replay);
        CursorStates replayed = new CursorStates();
        log.replay(replayed::replay);
        assertThat(replayed.image()).as("image and replay against full replay").isEqualTo(follower.image());
        cursors = new PartitionCursors(limits);
        log.replay(cursors::replay);
        lead();
    }

    private void lead() {
        LeaderTerm term = new LeaderTerm(0, ++brokerEpoch);
        cursors.lead(term, uncertain ? LeaderStart.UNCERTAIN : LeaderStart.COMPLETE, log.endOffset());
        check();
        long end = data.endOffset();
        cursors.truncate(end);
        for (CursorTruth truth : truths.values()) {
            truth.change(position -> position.truncate(end));
        }
        cursors.onHighWatermark(data.highWatermark());
        if (random.nextBoolean()) {
            askAboutOpen();
        }
        if (random.nextInt(20) == 0) {
            crash();
        } else {
            endTurn();
        }
    }

    // ---- invariants ---------------------------------------------------------------------------------------------

    private void check() {
        for (CursorTruth truth : truths.values()) {
            if (truth.exists()) {
                check(truth, cursors.cursor(truth.id).orElseThrow());
            }
        }
    }

    private void check(CursorTruth truth, Cursor cursor) {
        CursorTruth.Position position = truth.position;
        require(
                cursor.earliestNeededOffset() == position.start(),
                "start",
                () -> cursor.summary() + ", not " + position.start());
        require(
                !truth.durable || position.start() >= data.startOffset(),
                "records are removed that are needed",
                () -> cursor.summary() + ", removed below " + data.startOffset());
        require(cursor.acquired() == truth.holders.size(), "lent", () -> cursor.summary() + ", not " + truth.holders);
        require(
                NaiveCursor.offsets(Ranges.of(cursor.state().pending().all()))
                        .equals(List.copyOf(position.pending.keySet())),
                "pending",
                () -> Ranges.of(cursor.state().pending().all()) + " of " + cursor.summary() + ", not "
                        + position.pending);
        for (long offset = data.startOffset(); offset < data.endOffset(); offset++) {
            long checked = offset;
            require(
                    cursor.isAcknowledged(offset) == position.isAcknowledged(offset),
                    "acknowledged",
                    () -> checked + " of " + cursor.summary() + " is not " + cursor.isAcknowledged(checked));
            require(
                    cursor.attempts(offset) == position.attempts(offset),
                    "attempts",
                    () -> checked + " of " + cursor.summary() + " has " + cursor.attempts(checked) + ", not "
                            + position.attempts(checked));
        }
    }

    /** Like an assertion, without the cost of describing what is all right. */
    private static void require(boolean condition, String invariant, Supplier<String> what) {
        if (!condition) {
            throw new AssertionError(invariant + ": " + what.get());
        }
    }

    /** The faults are over: one consumer gets everything that is left, and nothing remains. */
    private void drain() {
        data.sync();
        cursors.onHighWatermark(data.highWatermark());
        CONSUMERS.forEach(consumer -> sessionGone(consumer.sessionId()));
        for (ProducerIdentity open : cursors.transactions().open()) {
            tell(open, decisions.getOrDefault(open, false));
        }
        assertThat(cursors.transactions().open()).isEmpty();
        endTurn();
        syncCursorLog();
        for (CursorTruth truth : truths.values()) {
            // A horizon step of 1 lets one record through a turn, and the dispatcher does not always start at the
            // front.
            for (long turns = 3 * data.endOffset(); turns > 0 && truth.exists(); turns--) {
                Cursor cursor = cursors.cursor(truth.id).orElseThrow();
                if (cursor.depth() == 0) {
                    break;
                }
                dispatch(truth, cursor, CONSUMERS.getFirst(), 20);
                endTurn();
                sends.forEach(Runnable::run);
                sends.clear();
                truth.holders.forEach((offset, lent) -> {
                    truth.change(position -> position.acknowledge(offset));
                    cursor.acknowledge(lent.consumer(), lent.acquisition(), List.of(OffsetRange.of(offset)));
                });
                truth.holders.clear();
                endTurn();
                syncCursorLog();
                check();
            }
            if (truth.exists()) {
                Cursor cursor = cursors.cursor(truth.id).orElseThrow();
                assertThat(cursor.depth()).as("left over in %s", truth.id).isZero();
                assertThat(cursor.earliestNeededOffset()).isGreaterThanOrEqualTo(data.highWatermark());
            }
        }
    }

    // ---- small things -------------------------------------------------------------------------------------------

    private void did(String what) {
        did.merge(what, 1, Integer::sum);
    }

    private List<Long> some(Set<Long> offsets) {
        boolean all = random.nextInt(3) == 0;
        return offsets.stream().filter(offset -> all || random.nextInt(3) > 0).toList();
    }

    private static List<OffsetRange> ranges(List<Long> offsets) {
        List<OffsetRange> ranges = new ArrayList<>();
        for (long offset : offsets) {
            if (!ranges.isEmpty() && ranges.getLast().endOffset() == offset) {
                ranges.add(new OffsetRange(ranges.removeLast().firstOffset(), offset + 1));
            } else {
                ranges.add(OffsetRange.of(offset));
            }
        }
        return ranges;
    }
}
