package io.millrace.broker.internal.kafka.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;

class FetchSessionsTest {

    private final FakeTimeSource time = new FakeTimeSource();

    private static List<FetchedPartition> partitions(int count) {
        return IntStream.range(0, count).mapToObj(FetchSessionsTest::partition).toList();
    }

    private static FetchedPartition partition(int index) {
        return new FetchedPartition(
                new FetchedPartition.Key(Uuid.ZERO_UUID, "topic", index), 0, 1000, Optional.empty());
    }

    private static PartitionData answer(long highWatermark) {
        return new PartitionData().setHighWatermark(highWatermark).setRecords(MemoryRecords.EMPTY);
    }

    private FetchSessions sessions(int slots) {
        return new FetchSessions(slots, time, new SplittableRandom(1));
    }

    @Test
    void shouldTakeThePlaceOfTheSessionThatWasUnusedForLongest() {
        FetchSessions sessions = sessions(2);
        FetchSession first = sessions.create(false, partitions(1)).orElseThrow();
        time.advanceMs(1000);
        FetchSession second = sessions.create(false, partitions(1)).orElseThrow();

        assertThat(sessions.create(false, partitions(1))).isEmpty();
        time.advanceMs(120_000);
        assertThat(sessions.create(false, partitions(1))).isPresent();

        assertThat(sessions.find(first.id())).isEmpty();
        assertThat(sessions.find(second.id())).isPresent();
    }

    @Test
    void shouldNotRememberMorePartitionsInAllThanThereIsRoomFor() {
        FetchSessions sessions = sessions(1000);
        FetchSession large = sessions.create(false, partitions(FetchSessions.MAX_PARTITIONS - 10))
                .orElseThrow();

        assertThat(sessions.create(false, partitions(11))).isEmpty();
        assertThat(sessions.isOver()).isFalse();
        assertThat(large.update(
                        1,
                        false,
                        IntStream.range(0, 20)
                                .mapToObj(i -> partition(FetchSessions.MAX_PARTITIONS + i))
                                .toList(),
                        List.of(),
                        time.nanoTime()))
                .isEqualTo(Errors.NONE);
        assertThat(sessions.isOver()).isTrue();
    }

    @Test
    void shouldTellOnlyWhatIsNew() {
        FetchSession session = sessions(1).create(false, partitions(2)).orElseThrow();
        FetchedPartition.Key key = partition(0).key();
        assertThat(session.isNews(key, answer(5))).isTrue();
        session.told(key, answer(5));

        assertThat(session.isNews(key, answer(5))).isFalse();
        assertThat(session.isNews(key, answer(6))).isTrue();
        PartitionData failed = answer(5).setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code());
        assertThat(session.isNews(key, failed)).isTrue();
        session.told(key, failed);
        assertThat(session.isNews(key, answer(5))).isTrue();
    }

    @Test
    void shouldRefuseWhatDoesNotFollow() {
        FetchSession session = sessions(1).create(true, partitions(2)).orElseThrow();

        assertThat(session.update(2, true, List.of(), List.of(), 0)).isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
        assertThat(session.update(1, false, List.of(), List.of(), 0)).isEqualTo(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
        assertThat(session.update(1, true, List.of(), List.of(partition(0).key()), 0))
                .isEqualTo(Errors.NONE);
        assertThat(session.wanted()).containsExactly(partition(1));
    }
}
