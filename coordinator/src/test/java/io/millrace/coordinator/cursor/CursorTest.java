package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CursorTest {

    private static final ConsumerKey ANNA = new ConsumerKey(new UUID(1, 1), 1);
    private static final ConsumerKey BEN = new ConsumerKey(new UUID(2, 2), 1);

    private final LedPartition partition = new LedPartition(new CursorLimits(100, 50));
    private final Cursor cursor = partition.queue(1_000);

    CursorTest() {
        cursor.attach(ANNA);
        cursor.attach(BEN);
    }

    @Test
    void shouldLendFreshRecordsInOrderOfTheirOffsets() {
        Acquisition first = cursor.acquire(ANNA, 3).orElseThrow();
        Acquisition second = cursor.acquire(BEN, 2).orElseThrow();

        assertThat(first.grants()).containsExactly(new Grant(0, 3, 1, false));
        assertThat(second.grants()).containsExactly(new Grant(3, 2, 1, false));
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(cursor.acquired()).isEqualTo(5);
        assertThat(cursor.acquiredBy(ANNA)).isEqualTo(3);
        assertThat(cursor.depth()).isEqualTo(1_000);
    }

    @Test
    void shouldKeepRecordsAcknowledgedOutOfOrder() {
        Acquisition acquisition = cursor.acquire(ANNA, 5).orElseThrow();

        AcknowledgeResult result =
                cursor.acknowledge(ANNA, acquisition.id(), List.of(new OffsetRange(3, 5), OffsetRange.of(1)));

        assertThat(result).isEqualTo(new AcknowledgeResult(3, List.of()));
        assertThat(cursor.earliestNeededOffset()).isZero();
        assertThat(cursor.depth()).isEqualTo(997);

        cursor.acknowledge(ANNA, acquisition.id(), List.of(OffsetRange.of(0)));

        assertThat(cursor.earliestNeededOffset()).isEqualTo(2);
        assertThat(cursor.isAcknowledged(4)).isTrue();
        assertThat(cursor.isAcknowledged(2)).isFalse();
    }

    @Test
    void shouldReturnReleasedRecordsToTheirOwnPlace() {
        Acquisition acquisition = cursor.acquire(ANNA, 6).orElseThrow();
        cursor.release(ANNA, acquisition.id(), List.of(OffsetRange.of(1), OffsetRange.of(4)), true);

        assertThat(cursor.candidates(0, 4))
                .containsExactly(OffsetRange.of(1), OffsetRange.of(4), new OffsetRange(6, 8));
        assertThat(cursor.acquire(BEN, 4).orElseThrow().grants())
                .containsExactly(new Grant(1, 1, 2, false), new Grant(4, 1, 2, false), new Grant(6, 2, 1, false));
    }

    @Test
    void shouldRefuseAnAcknowledgementOfAnAcquisitionThatIsNotCurrent() {
        Acquisition lost = cursor.acquire(ANNA, 3).orElseThrow();
        cursor.acknowledge(ANNA, lost.id(), List.of(OffsetRange.of(0)));
        cursor.onConsumerGone(ANNA);
        cursor.acquire(BEN, 1);

        AcknowledgeResult late = cursor.acknowledge(ANNA, lost.id(), List.of(new OffsetRange(0, 3)));

        assertThat(late).isEqualTo(new AcknowledgeResult(0, List.of(new OffsetRange(1, 3))));
    }

    @Test
    void shouldRefuseToLendWhatIsLent() {
        cursor.acquire(ANNA, 3);

        assertThatThrownBy(() -> cursor.acquire(BEN, List.of(new OffsetRange(2, 4))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2-3");
        assertThat(cursor.acquired()).isEqualTo(3);
    }
}
