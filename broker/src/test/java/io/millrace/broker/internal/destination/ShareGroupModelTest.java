package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.internal.destination.SharedPartition.Lent;
import io.millrace.broker.internal.partition.ShareAcknowledgement.Verdict;
import io.millrace.coordinator.cursor.ConsumerKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A share group against a simple model of it: a record is with one member at a time, is counted each time, never comes again once it is done,
 * and none is lost.
 */
class ShareGroupModelTest {

    private static final List<Verdict> VERDICTS = List.of(Verdict.values());
    private static final int STEPS = 250;
    private static final int MAX_DELIVERIES = 4;
    private static final int MAX_LOCKED = 25;

    /** What a member holds, and since when, in ms of the test. */
    private record Held(ConsumerKey member, long untilMs) {}

    private final SharedPartition partition = new SharedPartition(
            Map.of("log.reserve.bytes", "0", "log.segment.bytes", "4000", "cursor.window.records", "60"), 6_000);
    private final List<ConsumerKey> members = new ArrayList<>();
    private final Map<Long, Held> held = new HashMap<>();
    private final Map<Long, Integer> deliveries = new HashMap<>();
    private final Set<Long> done = new HashSet<>();
    private long sent;
    private long nowMs;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldDoWhatTheModelDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        members.add(partition.member());
        members.add(partition.member());
        members.add(partition.member());
        for (int step = 0; step < STEPS; step++) {
            act(random);
            check();
        }
        finish();
    }

    private void act(SplittableRandom random) {
        int dice = random.nextInt(100);
        int at = random.nextInt(members.size());
        ConsumerKey member = members.get(at);
        if (dice < 20) {
            int count = 1 + random.nextInt(6);
            partition.send(count, random.nextInt(400));
            sent += count;
        } else if (dice < 50) {
            acquire(member, 1 + random.nextInt(8), random.nextBoolean());
        } else if (dice < 85) {
            say(member, VERDICTS.get(random.nextInt(VERDICTS.size())), random);
        } else if (dice < 91) {
            pass(random.nextLong(SharedPartition.LOCK_MS / 2));
        } else if (dice < 95) {
            partition.leave(member);
            List.copyOf(held.keySet()).stream()
                    .filter(offset -> member.equals(heldBy(offset)))
                    .forEach(this::giveBack);
            members.set(at, partition.member());
        } else if (dice < 98) {
            long offset = sent == 0 ? 0 : random.nextLong(sent);
            boolean mine = member.equals(heldBy(offset));
            boolean behind = offset < start();
            if (!mine) {
                assertThat(partition.say(member, Verdict.ACCEPT, offset, offset))
                        .as("acknowledging %d, which it does not hold", offset)
                        .isEqualTo(behind);
            }
        } else {
            acceptWhatIsHeldForTheLastTime();
            partition.restart();
            held.clear();
            members.replaceAll(before -> partition.member());
        }
    }

    /** What comes back from members that cannot be asked is given up when somebody looks at it: when that is, the model does not know. */
    private void acceptWhatIsHeldForTheLastTime() {
        for (long offset : List.copyOf(held.keySet())) {
            if (deliveries.getOrDefault(offset, 0) >= MAX_DELIVERIES) {
                assertThat(partition.say(heldBy(offset), Verdict.ACCEPT, offset, offset))
                        .isTrue();
                held.remove(offset);
                done.add(offset);
            }
        }
    }

    private ConsumerKey heldBy(long offset) {
        Held by = held.get(offset);
        return by == null ? new ConsumerKey(new UUID(0, 0), 0) : by.member;
    }

    private void acquire(ConsumerKey member, int max, boolean strict) {
        Lent lent = partition.acquire(member, SharedPartition.terms(MAX_DELIVERIES, MAX_LOCKED), max, strict);
        assertThat(lent.failure()).isNull();
        if (strict) {
            assertThat(lent.offsets()).hasSizeLessThanOrEqualTo(max);
        }
        lent.counts().forEach((offset, count) -> {
            assertThat(done).as("done ones").doesNotContain(offset);
            assertThat(held).as("held ones").doesNotContainKey(offset);
            assertThat(count).as("deliveries of %d", offset).isEqualTo(deliveries.merge(offset, 1, Integer::sum));
            held.put(offset, new Held(member, nowMs + SharedPartition.LOCK_MS));
        });
        assertThat(held).hasSizeLessThanOrEqualTo(MAX_LOCKED);
    }

    private void say(ConsumerKey member, Verdict verdict, SplittableRandom random) {
        List<Long> mine = held.keySet().stream()
                .filter(offset -> member.equals(heldBy(offset)))
                .sorted()
                .toList();
        if (mine.isEmpty()) {
            return;
        }
        long first = mine.get(random.nextInt(mine.size()));
        long last = first;
        while (mine.contains(last + 1) && random.nextInt(3) > 0) {
            last++;
        }
        assertThat(partition.say(member, verdict, first, last)).isTrue();
        for (long offset = first; offset <= last; offset++) {
            switch (verdict) {
                case ACCEPT, REJECT -> {
                    held.remove(offset);
                    done.add(offset);
                }
                case RELEASE -> giveBack(offset);
                case RENEW -> held.put(offset, new Held(member, nowMs + SharedPartition.LOCK_MS));
            }
        }
    }

    private void giveBack(long offset) {
        held.remove(offset);
        if (deliveries.getOrDefault(offset, 0) >= MAX_DELIVERIES) {
            done.add(offset);
        }
    }

    private void pass(long durationMs) {
        // One more, since the clock of the partition goes on by some microseconds with each turn.
        partition.pass(durationMs + 1);
        nowMs += durationMs + 1;
        List.copyOf(held.keySet()).forEach(offset -> {
            Held by = held.get(offset);
            if (by != null && by.untilMs <= nowMs) {
                giveBack(offset);
            }
        });
    }

    private long start() {
        long start = 0;
        while (done.contains(start)) {
            start++;
        }
        return start;
    }

    private void check() {
        long start = start();
        assertThat(partition.place().startOffset()).isEqualTo(start);
        assertThat(partition.place().acknowledgedBehind())
                .isEqualTo(done.stream().filter(offset -> offset >= start).count());
    }

    private void finish() {
        partition.leave(members.getFirst());
        held.clear();
        members.forEach(partition::leave);
        ConsumerKey last = partition.member();
        for (int round = 0; done.size() < sent && round < 1_000; round++) {
            Lent lent = partition.acquire(last, SharedPartition.terms(MAX_DELIVERIES, MAX_LOCKED), 100, false);
            lent.offsets().forEach(offset -> {
                assertThat(done).doesNotContain(offset);
                assertThat(partition.say(last, Verdict.ACCEPT, offset, offset)).isTrue();
                done.add(offset);
            });
            if (lent.offsets().isEmpty()) {
                break;
            }
        }
        // What was not lent to the last member was given up as the others left.
        assertThat(partition.place().startOffset()).isEqualTo(sent);
    }
}
