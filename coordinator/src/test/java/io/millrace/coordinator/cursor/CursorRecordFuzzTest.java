package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.wire.MillraceException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Whatever a cursor log holds: it is refused when it is read, or the cursors that come of it can lead. */
class CursorRecordFuzzTest {
    private static final CursorLimits LIMITS = new CursorLimits(100, 10);

    /** The input is the size of the key, the key, and the value. */
    @FuzzTest
    void record(byte[] input) {
        ByteBuffer in = ByteBuffer.wrap(input);
        ByteBuffer key = part(in);
        CursorRecord record;
        try {
            record = CursorRecordCodec.decode(key, in);
        } catch (MalformedCursorRecordException refused) {
            return;
        }
        byte[] keyAgain = CursorRecordCodec.encodeKey(record);
        byte[] valueAgain = CursorRecordCodec.encodeValue(record);
        assertThat(CursorRecordCodec.decode(ByteBuffer.wrap(keyAgain), ByteBuffer.wrap(valueAgain)))
                .isEqualTo(record);
    }

    /** The input is a whole log: such records, each value with its size in front too. An empty key is a place where records are lost. */
    @FuzzTest
    void log(byte[] input) {
        ByteBuffer in = ByteBuffer.wrap(input);
        PartitionCursors cursors = new PartitionCursors(LIMITS);
        try {
            while (in.hasRemaining()) {
                ByteBuffer key = part(in);
                if (key.hasRemaining()) {
                    cursors.replay(CursorRecordCodec.decode(key, part(in)));
                } else {
                    cursors.replayLoss();
                }
            }
        } catch (MalformedCursorRecordException | InconsistentCursorLogException refused) {
            assertThat(refused.category()).isNotEqualTo(MillraceException.Category.RETRIABLE);
            return;
        }
        boolean complete = Arrays.hashCode(input) % 2 == 0;
        cursors.lead(new LeaderTerm(1, 1), complete ? LeaderStart.COMPLETE : LeaderStart.UNCERTAIN, 100);
        cursors.truncate(50);
        cursors.endTurn();
        cursors.onCursorLogHighWatermark(1_000);
        cursors.onHighWatermark(50);
        for (Cursor cursor : cursors.cursors()) {
            assertThat(cursor.earliestNeededOffset()).isNotNegative();
            assertThat(cursor.candidates(0, 10))
                    .allSatisfy(range -> assertThat(range.endOffset()).isBetween(1L, 50L));
        }
    }

    private static ByteBuffer part(ByteBuffer in) {
        int size = in.hasRemaining() ? Math.min(Byte.toUnsignedInt(in.get()), in.remaining()) : 0;
        ByteBuffer part = in.slice(in.position(), size);
        in.position(in.position() + size);
        return part;
    }
}
