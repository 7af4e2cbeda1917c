package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares a durable cursor, and one that is not, with the naive reference over random sequences of events. */
class CursorModelPropertyTest {

    private static final CursorLimits LIMITS = new CursorLimits(12, 7);
    private static final CursorId MEMORY = new CursorId(new UUID(0, 99));
    private static final List<ConsumerKey> CONSUMERS = List.of(
            new ConsumerKey(new UUID(0, 1), 1), new ConsumerKey(new UUID(0, 1), 2), new ConsumerKey(new UUID(0, 2), 1));

    enum Kind {
        PRODUCE,
        PRODUCE_UNDECIDED,
        DECIDE,
        ATTACH,
        ACQUIRE,
        ACQUIRE_FROM,
        ACQUIRE_SOME,
        ACKNOWLEDGE,
        ACKNOWLEDGE_ALL,
        ACKNOWLEDGE_ANYTHING,
        ACKNOWLEDGE_PENDING,
        COMMIT,
        ROLL_BACK,
        RELEASE_SEEN,
        RELEASE_UNSEEN,
        REATTACH,
        CONSUMER_GONE,
        SESSION_GONE,
        SKIP,
        DROP_BELOW,
        MOVE,
        TRUNCATE,
        END_TURN,
        CONFIRM,
        RESTART_COMPLETE,
        RESTART_UNCERTAIN
    }

    /** An event; a and b choose among what is possible when it happens. */
    record Event(Kind kind, int a, int b) {}

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<Kind> often = Arbitraries.of(
                Kind.ACQUIRE,
                Kind.ACQUIRE,
                Kind.ACKNOWLEDGE,
                Kind.ACKNOWLEDGE_ALL,
                Kind.ACKNOWLEDGE_PENDING,
                Kind.PRODUCE,
                Kind.CONFIRM,
                Kind.END_TURN);
        return Combinators.combine(
                        Arbitraries.oneOf(often, Arbitraries.of(Kind.class)),
                        Arbitraries.integers().between(0, 60),
                        Arbitraries.integers().between(0, 15))
                .as(Event::new)
                .list()
                .ofMinSize(10)
                .ofMaxSize(120);
    }

    @Property(tries = 400)
    void shouldDoWhatTheReferenceDoes(@ForAll("events") List<Event> events) {
        Pair durable = new Pair(true);
        Pair inMemory = new Pair(false);
        for (Event event : events) {
            durable.apply(event);
            durable.compare();
            if (event.kind() != Kind.RESTART_COMPLETE && event.kind() != Kind.RESTART_UNCERTAIN) {
                inMemory.apply(event);
                inMemory.compare();
            }
        }
    }

    /** An acquisition and whose it is. */
    private record Got(ConsumerKey consumer, Acquisition acquisition) {
        AcquisitionId id() {
            return acquisition.id();
        }
    }

    /** A real cursor and its reference, with a follower that replays what the real one writes. */
    private static final class Pair {
        private final List<Got> acquisitions = new ArrayList<>();
        private final List<CursorRecord> log = new ArrayList<>();
        private final CursorStates follower = new CursorStates();
        private PartitionCursors partition = new PartitionCursors(LIMITS);
        private final NaiveCursor naive;
        private Cursor cursor;
        private long brokerEpoch = 1;
        private final short[] epochs = new short[2];

        Pair(boolean durable) {
            partition.lead(new LeaderTerm(0, brokerEpoch), LeaderStart.COMPLETE, 0);
            cursor = durable ? partition.create(CursorId.QUEUE, 3) : partition.createNonDurable(MEMORY, 3);
            partition.onHighWatermark(10);
            naive = new NaiveCursor(LIMITS, durable, 3, 10);
        }

        void apply(Event event) {
            ConsumerKey consumer = CONSUMERS.get(event.a() % CONSUMERS.size());
            switch (event.kind()) {
                case PRODUCE -> {
                    naive.highWatermark += event.b();
                    partition.onHighWatermark(naive.highWatermark);
                }
                case PRODUCE_UNDECIDED -> {
                    long end = naive.highWatermark + event.b();
                    // After a restart the high watermark comes back over records that were there before.
                    for (long offset = Math.max(naive.highWatermark, naive.nextFresh); offset < end; offset++) {
                        if (!naive.isKnown(offset)) {
                            naive.undecided.put(offset, event.a() % 2L);
                            partition.undecided().add(event.a() % 2L, offset, offset + 1);
                        }
                    }
                    naive.highWatermark = end;
                    partition.onHighWatermark(naive.highWatermark);
                }
                case DECIDE -> {
                    boolean commit = event.b() % 2 == 0;
                    boolean any = naive.undecided.containsValue(event.a() % 2L);
                    partition.undecided().decide(event.a() % 2, commit, 0, naive.highWatermark);
                    if (any) {
                        naive.decide(event.a() % 2, commit);
                    }
                }
                case ATTACH -> attach(consumer);
                case ACQUIRE -> acquire(consumer, naive.candidates(0, event.b()));
                case ACQUIRE_FROM -> acquire(consumer, naive.candidates(event.a(), event.b()));
                case ACQUIRE_SOME -> acquire(consumer, everyOther(naive.candidates(0, event.b())));
                case ACKNOWLEDGE -> acknowledgePart(event);
                case ACKNOWLEDGE_ALL -> acquisition(event.a()).ifPresent(this::acknowledgeAll);
                case ACKNOWLEDGE_ANYTHING -> {
                    OffsetRange range = OffsetRange.ofCount(event.a(), event.b() + 1L);
                    AcquisitionId id = new AcquisitionId(new LeaderTerm(0, brokerEpoch), event.b() + 1);
                    acknowledge(consumer, id, List.of(range, OffsetRange.of(event.b())));
                }
                case ACKNOWLEDGE_PENDING ->
                    acquisition(event.a()).ifPresent(got -> acknowledgePending(got, event.a(), event.b()));
                case COMMIT -> end(event, true);
                case ROLL_BACK -> end(event, false);
                case RELEASE_SEEN -> release(event, true);
                case RELEASE_UNSEEN -> release(event, false);
                case REATTACH -> {
                    List<HeldRecords> held = acquisitions.stream()
                            .filter(acquisition -> acquisition.consumer().equals(consumer))
                            .filter(acquisition -> acquisition.id().counter() % 3 != event.b() % 3)
                            .map(acquisition ->
                                    new HeldRecords(acquisition.id(), part(acquisition.acquisition(), event.b())))
                            .toList();
                    cursor.reattach(consumer, held);
                    naive.reattach(consumer, held);
                }
                case CONSUMER_GONE -> {
                    cursor.onConsumerGone(consumer);
                    naive.onConsumerGone(consumer);
                }
                case SESSION_GONE -> {
                    partition.onSessionGone(consumer.sessionId());
                    CONSUMERS.stream()
                            .filter(other -> other.sessionId().equals(consumer.sessionId()))
                            .forEach(naive::onConsumerGone);
                }
                case SKIP -> skip(OffsetRange.ofCount(event.a(), event.b() + 1));
                case DROP_BELOW -> {
                    long offset = Math.min(event.a(), naive.highWatermark);
                    cursor.dropBelow(offset);
                    naive.dropBelow(offset);
                }
                case MOVE -> {
                    long offset = Math.min(event.a(), naive.highWatermark);
                    cursor.moveTo(offset);
                    naive.moveTo(offset);
                }
                case TRUNCATE -> {
                    long offset = (long) event.a() + event.b();
                    partition.truncate(offset);
                    naive.truncate(offset);
                }
                case END_TURN -> endTurn();
                case CONFIRM -> {
                    endTurn();
                    partition.onCursorLogHighWatermark(log.size());
                    naive.confirm();
                }
                case RESTART_COMPLETE -> restart(LeaderStart.COMPLETE);
                case RESTART_UNCERTAIN -> restart(LeaderStart.UNCERTAIN);
            }
        }

        private void attach(ConsumerKey consumer) {
            cursor.attach(consumer);
            naive.attached.add(consumer);
        }

        private void acquire(ConsumerKey consumer, List<Long> offsets) {
            if (offsets.isEmpty()) {
                return;
            }
            attach(consumer);
            Acquisition acquisition = cursor.acquire(consumer, ranges(offsets));
            acquisitions.add(new Got(consumer, acquisition));
            assertThat(told(acquisition)).isEqualTo(naive.acquire(consumer, acquisition.id(), offsets));
        }

        private void acknowledgePart(Event event) {
            acquisition(event.a())
                    .ifPresent(got -> acknowledge(got.consumer(), got.id(), part(got.acquisition(), event.b())));
        }

        private void acknowledgeAll(Got got) {
            List<OffsetRange> all = got.acquisition().grants().stream()
                    .map(grant -> new OffsetRange(grant.firstOffset(), grant.endOffset()))
                    .toList();
            acknowledge(got.consumer(), got.id(), all);
        }

        private void acknowledge(ConsumerKey consumer, AcquisitionId id, List<OffsetRange> ranges) {
            AcknowledgeResult result = cursor.acknowledge(consumer, id, ranges);

            assertThat(NaiveCursor.offsets(result.refused())).isEqualTo(naive.acknowledge(consumer, id, ranges));
        }

        /** One of two producer ids, of which now and then somebody comes who is late. */
        private ProducerIdentity transaction(int a, int b) {
            int id = a % 2;
            return new ProducerIdentity(id, (short) Math.max(0, epochs[id] - (b % 5 == 4 ? 1 : 0)));
        }

        private void acknowledgePending(Got got, int a, int b) {
            List<OffsetRange> ranges = part(got.acquisition(), b);
            ProducerIdentity transaction = transaction(a, b);

            AcknowledgeResult result = cursor.acknowledgePending(got.consumer(), got.id(), ranges, transaction);

            assertThat(NaiveCursor.offsets(result.refused()))
                    .isEqualTo(naive.acknowledgePending(got.consumer(), got.id(), ranges, transaction));
            if (b % 7 == 6) {
                // Its end never comes: the next one under this id has to make way for itself.
                epochs[a % 2]++;
            }
        }

        private void end(Event event, boolean commit) {
            ProducerIdentity transaction = transaction(event.a(), event.b());
            ProducerIdentity marker = event.b() % 3 == 0 ? transaction : transaction.bumped();
            partition.transactions().end(transaction, marker, commit);
            naive.end(transaction, marker, commit);
            int id = Math.toIntExact(transaction.id());
            epochs[id] = (short) Math.max(epochs[id], marker.epoch());
        }

        private void release(Event event, boolean seen) {
            acquisition(event.a()).ifPresent(got -> {
                List<OffsetRange> ranges = part(got.acquisition(), event.b());
                cursor.release(got.consumer(), got.id(), ranges, seen);
                naive.release(got.consumer(), got.id(), ranges, seen);
            });
        }

        private void skip(OffsetRange range) {
            if (NaiveCursor.offsets(List.of(range)).stream().anyMatch(naive.undecided::containsKey)) {
                // Nobody does that before it is known whether there is a record.
                return;
            }
            if (naive.maySkip(range)) {
                cursor.skip(range);
                naive.skip(range);
            } else {
                assertThatThrownBy(() -> cursor.skip(range)).isInstanceOf(IllegalArgumentException.class);
            }
        }

        private void endTurn() {
            for (CursorRecord record : partition.endTurn().records()) {
                log.add(record);
                follower.replay(record);
            }
            partition.onAppended(log.size());

            assertThat(follower.image()).isEqualTo(partition.image());
            CursorStates fromImage = new CursorStates();
            partition.image().forEach(fromImage::replay);
            assertThat(fromImage.image()).isEqualTo(partition.image());
        }

        private void restart(LeaderStart start) {
            endTurn();
            partition = new PartitionCursors(LIMITS);
            log.forEach(partition::replay);
            naive.undecided.forEach((offset, producer) -> partition.undecided().add(producer, offset, offset + 1));
            partition.lead(new LeaderTerm(0, ++brokerEpoch), start, log.size());
            cursor = partition.cursor(CursorId.QUEUE).orElseThrow();
            naive.restart(start);
        }

        void compare() {
            assertThat(cursor.earliestNeededOffset()).isEqualTo(naive.start());
            assertThat(cursor.depth()).isEqualTo(naive.depth());
            assertThat(cursor.acquired()).isEqualTo(naive.lent.size());
            assertThat(cursor.pending()).isEqualTo(naive.pending.size());
            assertThat(partition.transactions().open()).containsExactlyInAnyOrderElementsOf(naive.open.values());
            assertThat(cursor.consumers()).isEqualTo(naive.attached.size());
            for (ConsumerKey consumer : CONSUMERS) {
                assertThat(cursor.acquiredBy(consumer))
                        .isEqualTo(naive.lent.values().stream()
                                .filter(lent -> lent.consumer().equals(consumer))
                                .count());
            }
            assertThat(NaiveCursor.offsets(cursor.decidedCandidates(0, 1_000))).isEqualTo(naive.candidates(0, 1_000));
            for (long offset = 0; offset < naive.highWatermark + 5; offset++) {
                assertThat(cursor.isAcknowledged(offset))
                        .as("offset %d", offset)
                        .isEqualTo(naive.isAcknowledged(offset));
                assertThat(cursor.attempts(offset)).as("offset %d", offset).isEqualTo(naive.attempts(offset));
            }
        }

        private Optional<Got> acquisition(int choice) {
            return acquisitions.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            acquisitions.get(acquisitions.size() - 1 - choice % Math.min(5, acquisitions.size())));
        }
    }

    private static Map<Long, Integer> told(Acquisition acquisition) {
        Map<Long, Integer> told = new TreeMap<>();
        for (Grant grant : acquisition.grants()) {
            for (long offset = grant.firstOffset(); offset < grant.endOffset(); offset++) {
                told.put(offset, grant.deliveryCount());
            }
        }
        return told;
    }

    /** Cuts a piece out of each grant of an acquisition. */
    private static List<OffsetRange> part(Acquisition acquisition, int choice) {
        List<OffsetRange> ranges = new ArrayList<>();
        for (Grant grant : acquisition.grants()) {
            long first = grant.firstOffset() + choice % grant.count();
            ranges.add(new OffsetRange(first, Math.min(grant.endOffset(), first + 1 + choice / 3)));
        }
        return ranges;
    }

    private static List<OffsetRange> ranges(List<Long> offsets) {
        return offsets.stream().map(OffsetRange::of).toList();
    }

    private static List<Long> everyOther(List<Long> offsets) {
        List<Long> some = new ArrayList<>();
        for (int i = offsets.size() % 2; i < offsets.size(); i += 2) {
            some.add(offsets.get(i));
        }
        return some;
    }
}
