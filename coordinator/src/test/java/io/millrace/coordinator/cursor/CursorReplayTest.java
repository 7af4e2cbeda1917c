package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Images, and logs that make no sense. */
class CursorReplayTest {

    private static final CursorId SUBSCRIPTION = new CursorId(new UUID(5, 5));
    private static final CursorRecord CREATED = new CursorRecord.Created(CursorId.QUEUE, 0, 100);
    private static final CursorRecord ACKNOWLEDGED =
            new CursorRecord.Acknowledged(CursorId.QUEUE, List.of(new OffsetRange(4, 6)));

    private final CursorStates states = new CursorStates();

    @Test
    void shouldReplaceEverythingByACompleteImage() {
        replay(CREATED, new CursorRecord.Created(SUBSCRIPTION, 0, 100));
        CursorStates other = new CursorStates();
        other.replay(CREATED);
        other.replay(ACKNOWLEDGED);

        other.image().forEach(states::replay);

        assertThat(states.image()).isEqualTo(other.image());
    }

    @Test
    void shouldDropAnImageThatWasTorn() {
        replay(CREATED, ACKNOWLEDGED);
        List<CursorRecord> before = states.image();

        replay(new CursorRecord.ImageBegin(2), part(List.of()));
        states.endReplay();
        assertThat(states.image()).isEqualTo(before);

        replay(new CursorRecord.ImageBegin(2), part(List.of()), new CursorRecord.Moved(CursorId.QUEUE, 9));
        assertThat(state().startOffset()).isEqualTo(9);
        assertThatThrownBy(() -> replay(new CursorRecord.ImageEnd(1, 1)))
                .isInstanceOf(InconsistentCursorLogException.class);
    }

    @Test
    void shouldBeginAnewWithTheImageAfterATornOne() {
        replay(new CursorRecord.ImageBegin(7), part(List.of(new OffsetRange(20, 30))));
        replay(new CursorRecord.ImageBegin(1), part(List.of(new OffsetRange(5, 6))), new CursorRecord.ImageEnd(1, 1));

        assertThat(Ranges.of(state().acknowledged())).containsExactly(new OffsetRange(5, 6));
    }

    @Test
    void shouldSpreadACursorOverSeveralPartsOfAnImage() {
        replay(new CursorRecord.Created(CursorId.QUEUE, 0, 100_000));
        List<CursorRecord> records = new ArrayList<>();
        for (long offset = 1; offset < 30_000; offset += 3) {
            records.add(new CursorRecord.Acknowledged(CursorId.QUEUE, List.of(OffsetRange.of(offset))));
            records.add(new CursorRecord.Attempts(
                    CursorId.QUEUE,
                    List.of(new AttemptRange(OffsetRange.of(offset + 1), 1 + (int) offset % 2, offset % 5 == 0))));
        }
        records.forEach(states::replay);

        List<CursorRecord> image = states.image();
        CursorStates fromImage = new CursorStates();
        image.forEach(fromImage::replay);

        assertThat(image).hasSize(2 + 5);
        assertThat(image.getLast()).isEqualTo(new CursorRecord.ImageEnd(1, 5));
        assertThat(fromImage.image()).isEqualTo(image);
        assertThat(image)
                .allSatisfy(record ->
                        assertThat(CursorRecordCodec.encodeValue(record)).hasSizeLessThan(100_000));
    }

    @Test
    void shouldTakeAnImageOnlyBetweenTurns() {
        LedPartition partition = new LedPartition(CursorLimits.DEFAULT);
        partition.queue(10).moveTo(3);

        assertThatThrownBy(partition.cursors::image)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("endTurn");

        partition.turn();

        assertThat(partition.cursors.image()).hasSize(3);
    }

    @Test
    void shouldRefuseRecordsOfACursorThatDoesNotExist() {
        requireInconsistent("does not exist", ACKNOWLEDGED);
        requireInconsistent("does not exist", new CursorRecord.Moved(CursorId.QUEUE, 1));
        requireInconsistent("does not exist", new CursorRecord.Horizon(CursorId.QUEUE, 1, 0));
        requireInconsistent("does not exist", CREATED, new CursorRecord.Deleted(SUBSCRIPTION));
        requireInconsistent(
                "does not exist",
                CREATED,
                new CursorRecord.Deleted(CursorId.QUEUE),
                new CursorRecord.Moved(CursorId.QUEUE, 1));
    }

    @Test
    void shouldRefuseASecondCreation() {
        requireInconsistent("a second time", CREATED, CREATED);
    }

    @Test
    void shouldRefuseAttemptsOfAcknowledgedRecords() {
        for (long first = 3; first < 6; first++) {
            requireInconsistent(
                    "some are acknowledged",
                    CREATED,
                    ACKNOWLEDGED,
                    new CursorRecord.Attempts(
                            CursorId.QUEUE, List.of(new AttemptRange(OffsetRange.ofCount(first, 2), 1, false))));
        }
        requireInconsistent(
                "some are acknowledged",
                new CursorRecord.Created(CursorId.QUEUE, 5, 100),
                new CursorRecord.Attempts(CursorId.QUEUE, List.of(new AttemptRange(OffsetRange.of(4), 1, false))));
    }

    @Test
    void shouldRefuseAnImageThatDoesNotAddUp() {
        requireInconsistent("without the image's beginning", part(List.of()));
        requireInconsistent("without the image's beginning", new CursorRecord.ImageEnd(0, 0));
        requireInconsistent(
                "2 cursors ended after 1",
                new CursorRecord.ImageBegin(2),
                part(List.of()),
                new CursorRecord.ImageEnd(2, 1));
        requireInconsistent(
                "in 1 parts", new CursorRecord.ImageBegin(1), part(List.of()), new CursorRecord.ImageEnd(1, 2));
        requireInconsistent(
                "differ",
                new CursorRecord.ImageBegin(1),
                part(List.of()),
                new CursorRecord.ImagePart(CursorId.QUEUE, 1, 101, 0, List.of(), List.of()));
    }

    private static CursorRecord part(List<OffsetRange> acknowledged) {
        return new CursorRecord.ImagePart(CursorId.QUEUE, 1, 100, 0, acknowledged, List.of());
    }

    private CursorState state() {
        CursorState state = states.byCursor().get(CursorId.QUEUE);
        assertThat(state).isNotNull();
        return state;
    }

    private void replay(CursorRecord... records) {
        for (CursorRecord record : records) {
            states.replay(record);
        }
    }

    private static void requireInconsistent(String message, CursorRecord... records) {
        CursorStates fresh = new CursorStates();
        assertThatThrownBy(() -> {
                    for (CursorRecord record : records) {
                        fresh.replay(record);
                    }
                })
                .isInstanceOf(InconsistentCursorLogException.class)
                .hasMessageContaining(message);
    }
}
