package io.millrace.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.coordinator.quorum.LogPoint;
import java.nio.ByteBuffer;

/** Whatever the metadata log or a snapshot holds: it is refused when it is read or replayed, or it makes an image. */
class MetadataRecordFuzzTest {
    /** The input is one record. */
    @FuzzTest
    void record(byte[] input) {
        MetadataRecord record;
        try {
            record = MetadataRecordCodec.decode(input);
        } catch (MetadataFormatException refused) {
            return;
        }
        assertThat(MetadataRecordCodec.decode(MetadataRecordCodec.encode(record)))
                .isEqualTo(record);
    }

    /** The input is a whole log: records, each with its size in front. */
    @FuzzTest
    void log(byte[] input) {
        ByteBuffer in = ByteBuffer.wrap(input);
        MetadataState state = new MetadataState(MetadataImage.EMPTY);
        try {
            while (in.hasRemaining()) {
                byte[] bytes = new byte[Math.min(Byte.toUnsignedInt(in.get()), in.remaining())];
                in.get(bytes);
                state.replay(MetadataRecordCodec.decode(bytes));
            }
        } catch (MetadataFormatException | InconsistentMetadataException refused) {
            return;
        }
        MetadataImage image = state.image(new LogPoint(100, 1));
        assertThat(image.logs())
                .allSatisfy(log -> assertThat(image.log(log.logId())).contains(log));
    }
}
