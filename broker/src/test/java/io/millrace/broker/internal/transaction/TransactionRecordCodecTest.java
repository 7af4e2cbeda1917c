package io.millrace.broker.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.transaction.Identities;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionKind;
import io.millrace.coordinator.transaction.TransactionOrigin;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.coordinator.transaction.TransactionState;
import io.millrace.coordinator.transaction.UnsyncedEnd;
import io.millrace.coordinator.transaction.Xid;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogValue;
import org.junit.jupiter.api.Test;

/** What is read is what was written, and Kafka's reader understands its part of it. */
class TransactionRecordCodecTest {

    private final RandomGenerator random = new SplittableRandom(5);

    private static ByteBuffer value(TransactionRecord record) {
        return ByteBuffer.wrap(TransactionRecordCodec.encodeValue(record));
    }

    private ProducerIdentity identity() {
        return new ProducerIdentity(random.nextLong(Long.MAX_VALUE), (short) random.nextInt(Short.MAX_VALUE));
    }

    private <T> Optional<T> maybe(T value) {
        return random.nextBoolean() ? Optional.of(value) : Optional.empty();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private byte[] bytes() {
        byte[] some = new byte[random.nextInt(Xid.MAX_PART_BYTES + 1)];
        random.nextBytes(some);
        return some;
    }

    private TransactionRecord record() {
        TransactionState state = one(List.of(TransactionState.values()));
        TransactionKind kind = one(List.of(TransactionKind.values()));
        Optional<Xid> xid = kind == TransactionKind.BRANCH
                ? Optional.of(Xid.of(random.nextInt(Integer.MAX_VALUE), bytes(), bytes()))
                : Optional.empty();
        Set<Participant> participants = state == TransactionState.EMPTY ? Set.of() : participants();
        return new TransactionRecord(
                "id",
                new TransactionOrigin(kind, "User:ä", 1 + random.nextInt(1_000_000), random.nextInt(3), xid),
                new Identities(identity(), maybe(identity()), maybe(identity()), random.nextBoolean()),
                state,
                participants,
                random.nextLong(1L << 42),
                random.nextLong(1L << 42),
                random.nextBoolean(),
                maybe(new UnsyncedEnd(random.nextBoolean(), participants())));
    }

    private Set<Participant> participants() {
        Set<Participant> participants = new LinkedHashSet<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            participants.add(new Participant(
                    "queue-" + random.nextInt(3),
                    random.nextInt(50),
                    random.nextBoolean() ? Participant.Part.DATA : Participant.Part.CURSOR));
        }
        return participants;
    }

    @Test
    void shouldReadWhatItWrote() {
        for (int i = 0; i < 5_000; i++) {
            TransactionRecord record = record();
            assertThat(TransactionRecordCodec.decodeValue("id", value(record))).isEqualTo(record);
        }
    }

    @Test
    void shouldBeReadableForKafka() {
        TransactionRecord record = new TransactionRecord(
                "id",
                new TransactionOrigin(TransactionKind.SESSION, "User:a", 5_000, 2, Optional.empty()),
                Identities.of(new ProducerIdentity(7, (short) 3)),
                TransactionState.PREPARE_COMMIT,
                new LinkedHashSet<>(List.of(
                        new Participant("orders", 1, Participant.Part.DATA),
                        new Participant("orders", 1, Participant.Part.CURSOR))),
                10,
                20,
                false,
                Optional.empty());

        ByteBuffer bytes = value(record);
        short version = bytes.getShort();
        TransactionLogValue kafkas = new TransactionLogValue(new ByteBufferAccessor(bytes), version);

        assertThat(kafkas.producerId()).isEqualTo(7);
        assertThat(kafkas.transactionStatus()).isEqualTo((byte) 2);
        assertThat(kafkas.transactionPartitions()).singleElement().satisfies(topic -> {
            assertThat(topic.topic()).isEqualTo("orders");
            assertThat(topic.partitionIds()).containsExactly(1);
        });
        assertThat(kafkas.clientTransactionVersion()).isEqualTo((short) 2);
    }

    @Test
    void shouldRefuseEveryCut() {
        byte[] whole = TransactionRecordCodec.encodeValue(record());
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(whole, 0, length).slice();
            assertThatThrownBy(() -> TransactionRecordCodec.decodeValue("id", cut))
                    .isInstanceOf(RuntimeException.class);
        }
    }

    @Test
    void shouldPassOverKeysOfOtherKinds() {
        assertThat(TransactionRecordCodec.decodeKey(
                        ByteBuffer.allocate(4).putShort((short) 9).flip().limit(4)))
                .isEmpty();
        assertThat(TransactionRecordCodec.decodeKey(ByteBuffer.wrap(TransactionRecordCodec.encodeKey("orders"))))
                .contains("orders");
    }
}
