package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.internal.deadletter.DeadLetterAddress;
import io.millrace.broker.internal.deadletter.DeadLetterAddress.Found;
import io.millrace.broker.internal.deadletter.DeadLetterWriter;
import io.millrace.broker.internal.destination.SharedPartition.FirstAnswer;
import io.millrace.broker.internal.destination.SharedPartition.Lent;
import io.millrace.broker.internal.partition.DeadLetters;
import io.millrace.broker.internal.partition.GivenUp;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.ShareAcknowledgement.Verdict;
import io.millrace.broker.internal.partition.ShareConsumers.Taken;
import io.millrace.coordinator.cursor.ConsumerKey;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters on a disk that loses what was not forced, and where they cannot be written. */
class DeadLetterWriterTest {

    private static final int MAX_STEPS = 40;

    private record Letters(DeadLetterWriter writer, Supplier<Found> to, boolean copies)
            implements DeadLetters, DeadLetterAddress {

        @Override
        public boolean areWanted() {
            return true;
        }

        @Override
        public CompletionStage<Integer> write(Partition from, List<GivenUp> records) {
            return writer.write(this, from, records);
        }

        @Override
        public String group() {
            return "workers";
        }

        @Override
        public String nameOf(Partition from) {
            return "events";
        }

        @Override
        public CompletionStage<Found> find(Partition from) {
            return CompletableFuture.completedFuture(to.get());
        }
    }

    private static Letters letters(SharedPartition partition, boolean copies) {
        return new Letters(partition.writer(), () -> new Found.Here(partition.letters()), copies);
    }

    /** Wherever the broker ends: what was rejected is there still or in a letter, and in a letter if the rejection was answered. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotLoseWhatIsRejectedWhenTheBrokerEnds(boolean power) {
        boolean answeredOnce = false;
        boolean cameAgainOnce = false;
        for (int steps = 0; steps < MAX_STEPS; steps++) {
            SharedPartition partition = new SharedPartition();
            Partition to = partition.letters();
            assertThat(to.snapshot().highWatermark()).isZero();
            ConsumerKey member = partition.member();
            partition.send(3);
            partition.acquire(member, SharedPartition.terms(5, letters(partition, true)), 100, false);
            FirstAnswer<Taken> reply = partition.tell(member, Verdict.REJECT, 1, 1);
            for (int i = 0; i < steps; i++) {
                partition.step();
            }
            boolean answered = reply.isAnswered();

            partition.die(power);
            partition.settle();

            List<Long> letters = offsets(partition.letters());
            Lent lent = partition.acquire(
                    partition.member(), SharedPartition.terms(5, letters(partition, true)), 100, false);
            assertThat(lent.offsets()).contains(0L, 2L);
            boolean cameAgain = lent.offsets().contains(1L);
            assertThat(cameAgain || letters.equals(List.of(1L)))
                    .as("after %d steps: letters %s, lent %s", steps, letters, lent.offsets())
                    .isTrue();
            if (answered) {
                assertThat(letters).as("after %d steps", steps).containsExactly(1L);
                assertThat(cameAgain).as("after %d steps", steps).isFalse();
            }
            answeredOnce |= answered;
            cameAgainOnce |= cameAgain;
        }
        assertThat(answeredOnce).isTrue();
        assertThat(cameAgainOnce).isTrue();
    }

    /** The same for what was delivered often enough. After a kill nobody gets it again; with the power its count may be lost. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotLoseWhatWasDeliveredTooOftenWhenTheBrokerEnds(boolean power) {
        for (int steps = 0; steps < MAX_STEPS; steps++) {
            SharedPartition partition = new SharedPartition();
            assertThat(partition.letters().snapshot().highWatermark()).isZero();
            ConsumerKey member = partition.member();
            partition.send(1);
            partition.acquire(member, SharedPartition.terms(1, letters(partition, false)), 100, false);
            FirstAnswer<Taken> reply = partition.tell(member, Verdict.RELEASE, 0, 0);
            for (int i = 0; i < steps; i++) {
                partition.step();
            }
            assertThat(steps < MAX_STEPS - 1 || reply.isAnswered()).isTrue();

            partition.die(power);
            partition.settle();

            Lent lent = partition.acquire(
                    partition.member(), SharedPartition.terms(1, letters(partition, false)), 100, false);
            List<Long> letters = offsets(partition.letters());
            assertThat(power ? lent.offsets().size() + letters.size() : letters.size())
                    .as("after %d steps: letters %s, lent %s", steps, letters, lent.offsets())
                    .isPositive();
        }
    }

    @Test
    void shouldTryAgainForAWhileAndThenGoOnWithoutALetter() {
        SharedPartition partition = new SharedPartition();
        ConsumerKey member = partition.member();
        DeadLetterWriter writer = partition.writer();
        int[] tries = {0};
        Letters letters = new Letters(
                writer,
                () -> {
                    tries[0]++;
                    return new Found.NotNow("the moon is in the way");
                },
                false);
        partition.send(2);
        partition.acquire(member, SharedPartition.terms(5, letters), 100, false);

        FirstAnswer<Taken> reply = partition.tell(member, Verdict.REJECT, 0, 0);
        for (int second = 0; second < 14; second++) {
            partition.pass(1_000);
        }
        assertThat(reply.isAnswered()).isFalse();
        assertThat(partition.say(member, Verdict.ACCEPT, 1, 1)).isTrue();
        partition.pass(2_000);

        assertThat(reply.isAnswered()).isTrue();
        assertThat(tries[0]).isEqualTo(5);
        assertThat(writer.lost()).isEqualTo(1);
        assertThat(partition.place().startOffset()).isEqualTo(2);
    }

    @Test
    void shouldWriteWhenItCanAfterAll() {
        SharedPartition partition = new SharedPartition();
        ConsumerKey member = partition.member();
        int[] tries = {0};
        Letters letters = new Letters(
                partition.writer(),
                () -> tries[0]++ < 3 ? new Found.NotNow("not yet") : new Found.Here(partition.letters()),
                false);
        partition.send(1);
        partition.acquire(member, SharedPartition.terms(5, letters), 100, false);

        FirstAnswer<Taken> reply = partition.tell(member, Verdict.REJECT, 0, 0);
        partition.pass(1_001);
        partition.pass(2_001);
        partition.pass(4_001);

        assertThat(reply.isAnswered()).isTrue();
        assertThat(offsets(partition.letters())).containsExactly(0L);
    }

    @Test
    void shouldGoOnAtOnceWhereThereIsNoUseInTryingAgain() {
        SharedPartition partition = new SharedPartition();
        ConsumerKey member = partition.member();
        DeadLetterWriter writer = partition.writer();
        partition.send(3);
        partition.acquire(
                member,
                SharedPartition.terms(5, new Letters(writer, () -> new Found.Never("no such topic"), false)),
                100,
                false);

        assertThat(partition.say(member, Verdict.REJECT, 0, 2)).isTrue();

        assertThat(writer.lost()).isEqualTo(3);
        assertThat(writer.written()).isZero();
    }

    @Test
    void shouldWriteAsManyBatchesAsItTakes() {
        SharedPartition partition = new SharedPartition();
        ConsumerKey member = partition.member();
        DeadLetterWriter writer = partition.writer();
        for (int i = 0; i < 30; i++) {
            partition.send(3, 30_000);
        }
        assertThat(partition.letters().maxBatchBytes()).isLessThan(90 * 30_000);
        Letters letters = new Letters(writer, () -> new Found.Here(partition.letters()), true);
        List<Long> lent = new ArrayList<>();
        while (lent.size() < 90) {
            lent.addAll(partition
                    .acquire(member, SharedPartition.terms(5, letters), 100, false)
                    .offsets());
        }

        assertThat(partition.say(member, Verdict.REJECT, 0, 89)).isTrue();

        assertThat(offsets(partition.letters())).containsExactlyElementsOf(lent);
        assertThat(writer.written()).isEqualTo(90);
        assertThat(writer.lost()).isZero();
    }

    /** The offsets that letters speak of. */
    private static List<Long> offsets(Partition letters) {
        List<Long> offsets = new ArrayList<>();
        long at = 0;
        while (at < letters.snapshot().highWatermark()) {
            var slice = letters.read(at, 1 << 20);
            RecordBatches batches = RecordBatches.over(slice.batches());
            while (batches.next()) {
                try (RecordCursor cursor = batches.current().records()) {
                    while (cursor.next()) {
                        int header = cursor.findHeader("__dlq.errors.offset".getBytes(StandardCharsets.UTF_8));
                        offsets.add(Long.valueOf(StandardCharsets.UTF_8
                                .decode(Objects.requireNonNull(cursor.headerValue(header)))
                                .toString()));
                    }
                }
            }
            at = slice.nextOffset();
        }
        return offsets;
    }
}
