package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What those have yet to look at who want only some records of a cursor. */
class SelectiveViewTest {

    private static final int WINDOW = 20;
    private static final int STEP = 10;

    private final PartitionCursors cursors = new PartitionCursors(new CursorLimits(WINDOW, STEP));
    private final ConsumerKey alice = new ConsumerKey(new UUID(1, 1), 1);
    private final ConsumerKey bob = new ConsumerKey(new UUID(2, 2), 1);
    private Cursor cursor;
    private long written;

    @BeforeEach
    void createQueue() {
        cursors.lead(new LeaderTerm(1, 1), LeaderStart.COMPLETE, 0);
        cursor = cursors.create(CursorId.QUEUE, 0);
        cursor.attach(alice);
        cursor.attach(bob);
        confirm();
    }

    private void confirm() {
        written += cursors.endTurn().records().size();
        cursors.onAppended(written);
        cursors.onCursorLogHighWatermark(written);
    }

    private static List<OffsetRange> ranges(long... bounds) {
        return java.util.stream.IntStream.range(0, bounds.length / 2)
                .mapToObj(i -> new OffsetRange(bounds[2 * i], bounds[2 * i + 1]))
                .toList();
    }

    @Test
    void shouldOfferEachRecordOnce() {
        cursors.onHighWatermark(100);
        SelectiveView view = cursor.openView();

        assertThat(view.candidates(40)).isEqualTo(ranges(0, 40));
        view.lookedTo(40);
        assertThat(view.candidates(100)).isEqualTo(ranges(40, 100));
        view.lookedTo(100);
        assertThat(view.candidates(100)).isEmpty();

        cursors.onHighWatermark(103);
        assertThat(view.candidates(100)).isEqualTo(ranges(100, 103));
    }

    @Test
    void shouldOfferRecordsFarBehindTheDispatchHorizon() {
        cursors.onHighWatermark(1_000_000);
        SelectiveView view = cursor.openView();
        view.lookedTo(999_999);

        assertThat(view.candidates(10)).isEqualTo(ranges(999_999, 1_000_000));
        LendingRoom room = cursor.room();
        assertThat(room.take(999_999)).isFalse();
        assertThat(room.isBelowHorizonOnly()).isTrue();

        cursor.extendHorizonBeyond(999_999);
        confirm();
        assertThat(cursor.room().take(999_999)).isTrue();
        assertThat(cursor.acquire(alice, ranges(999_999, 1_000_000)).grants()).hasSize(1);
        assertThat(cursor.candidates(0, 5)).isEqualTo(ranges(0, 5));
    }

    @Test
    void shouldOfferWhatCameBackAgain() {
        cursors.onHighWatermark(10);
        SelectiveView view = cursor.openView();
        SelectiveView other = cursor.openView();
        Acquisition lent = cursor.acquire(alice, ranges(3, 6));
        view.lookedTo(10);
        other.lookedTo(4);

        cursor.release(alice, lent.id(), ranges(3, 5), true);

        assertThat(view.candidates(10)).isEqualTo(ranges(3, 5));
        view.lookedTo(5);
        assertThat(view.candidates(10)).isEmpty();
        assertThat(other.candidates(10)).isEqualTo(ranges(3, 4));
        other.lookedTo(4);
        assertThat(other.candidates(10)).isEqualTo(ranges(4, 5, 6, 10));
    }

    @Test
    void shouldNotOfferWhatCameBackAndIsLentAgain() {
        cursors.onHighWatermark(10);
        SelectiveView view = cursor.openView();
        Acquisition lent = cursor.acquire(alice, ranges(3, 6));
        view.lookedTo(10);
        cursor.release(alice, lent.id(), ranges(3, 6), true);

        cursor.acquire(bob, ranges(3, 5));

        assertThat(view.candidates(10)).isEqualTo(ranges(5, 6));
    }

    @Test
    void shouldOfferWhatALostConsumerHeld() {
        cursors.onHighWatermark(10);
        SelectiveView view = cursor.openView();
        cursor.acquire(alice, ranges(2, 4));
        view.lookedTo(10);

        cursors.onSessionGone(alice.sessionId());

        assertThat(view.candidates(10)).isEqualTo(ranges(2, 4));
    }

    @Test
    void shouldOfferWhatIsDeliveredAgainAfterAMove() {
        cursors.onHighWatermark(10);
        SelectiveView view = cursor.openView();
        view.lookedTo(10);

        cursor.moveTo(7);

        assertThat(view.candidates(10)).isEqualTo(ranges(7, 10));
    }

    @Test
    void shouldPassOverUndecidedRecordsAndOfferThemOnceTheyAreCommitted() {
        cursors.undecided().knowFrom(0);
        cursors.undecided().add(5, 2, 4);
        cursors.undecided().add(6, 6, 8);
        cursors.onHighWatermark(10);
        SelectiveView view = cursor.openView();
        assertThat(view.candidates(10)).isEqualTo(ranges(0, 2, 4, 6, 8, 10));
        view.lookedTo(10);

        cursors.undecided().decide(5, true, 0, 10);
        cursors.undecided().decide(6, false, 0, 10);

        assertThat(view.candidates(10)).isEqualTo(ranges(2, 4));
    }

    @Test
    void shouldLendNoMoreThanTheWindowHasRoomFor() {
        cursors.onHighWatermark(100);
        confirm();
        cursor.extendHorizonBeyond(50);
        confirm();
        LendingRoom room = cursor.room();
        for (int i = 0; i < WINDOW; i++) {
            assertThat(room.take(2L * i)).isTrue();
        }
        assertThat(room.take(2L * WINDOW)).isFalse();
        assertThat(room.isBelowHorizonOnly()).isFalse();

        Acquisition lent = cursor.acquire(alice, ranges(0, WINDOW));
        assertThat(cursor.room().take(WINDOW)).isFalse();

        // What was delivered before has its place in the window.
        cursor.release(alice, lent.id(), ranges(5, 6), true);
        assertThat(cursor.room().take(5)).isTrue();
    }

    @Test
    void shouldForgetAClosedView() {
        cursors.onHighWatermark(10);
        SelectiveView view = cursor.openView();
        Acquisition lent = cursor.acquire(alice, ranges(3, 6));
        view.lookedTo(10);

        cursor.closeView(view);
        cursor.release(alice, lent.id(), ranges(3, 6), true);

        assertThat(view.candidates(10)).isEmpty();
    }
}
