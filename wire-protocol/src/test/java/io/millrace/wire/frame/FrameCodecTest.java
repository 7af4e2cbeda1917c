package io.millrace.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.wire.frame.SampleFrames.Sample;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCodecTest {

    static List<Sample> samples() {
        return SampleFrames.all();
    }

    @Test
    void shouldHaveASampleOfEveryType() {
        assertThat(samples().stream().map(sample -> sample.frame().type()).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(FrameType.values());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldReadWhatItWrote(Sample sample) {
        ByteBuffer content = content(sample.frame());

        assertThat(FrameCodec.decode(content, sender(sample.frame()))).isEqualTo(sample.frame());
        assertThat(content.hasRemaining()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldWriteTheHeadOfAFrameWithoutItsPayload(Sample sample) {
        ByteBuffer whole = encoded(sample.frame());
        ByteBuffer head = ByteBuffer.allocate(FrameCodec.sizeOfHead(sample.frame()));
        FrameCodec.encodeHead(sample.frame(), head);

        assertThat(head.hasRemaining()).isFalse();
        int payloadBytes = sample.frame() instanceof PayloadFrame carrier
                ? carrier.payload().remaining()
                : 0;
        assertThat(head.flip()).isEqualTo(whole.limit(whole.limit() - payloadBytes));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseAFrameThatIsCutAnywhere(Sample sample) {
        byte[] content = content(sample.frame()).array();
        int fieldsEnd = content.length
                - (sample.frame() instanceof PayloadFrame carrier
                        ? carrier.payload().remaining()
                        : 0);

        for (int length = 0; length < fieldsEnd; length++) {
            ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(content, length));
            assertThatThrownBy(() -> FrameCodec.decode(cut, sender(sample.frame())))
                    .as("cut after %d of %d bytes", length, content.length)
                    .isInstanceOf(MalformedFrameException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseBytesAfterTheLastField(Sample sample) {
        if (sample.frame() instanceof PayloadFrame) {
            return; // its payload ends where the frame ends, whatever its bytes are
        }
        byte[] content = content(sample.frame()).array();
        ByteBuffer longer = ByteBuffer.wrap(Arrays.copyOf(content, content.length + 1));

        assertThatThrownBy(() -> FrameCodec.decode(longer, sender(sample.frame())))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining(sample.frame().type().name())
                .hasMessageContaining("1 bytes are left");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseAFrameFromTheWrongSide(Sample sample) {
        FrameType type = sample.frame().type();
        for (Peer peer : Peer.values()) {
            ByteBuffer content = content(sample.frame());
            if (type.sentBy(peer)) {
                assertThat(FrameCodec.decode(content, peer)).isEqualTo(sample.frame());
            } else {
                assertThatThrownBy(() -> FrameCodec.decode(content, peer))
                        .isInstanceOf(MalformedFrameException.class)
                        .hasMessageContaining("cannot be sent by");
            }
        }
    }

    /** Whatever one byte is changed to, decoding either fails as malformed or gives a frame that is written as these very bytes. */
    @ParameterizedTest
    @MethodSource("samples")
    void shouldGiveAFrameOrAMalformedFrameForEachChangedByte(Sample sample) {
        byte[] content = content(sample.frame()).array();
        for (int index = 0; index < content.length; index++) {
            for (int change = 1; change < 256; change++) {
                byte[] changed = content.clone();
                changed[index] ^= (byte) change;
                Frame frame;
                try {
                    frame = FrameCodec.decode(ByteBuffer.wrap(changed), sender(sample.frame()));
                } catch (MalformedFrameException refused) {
                    continue;
                }
                assertThat(content(frame).array())
                        .as("byte %d changed by %d", index, change)
                        .isEqualTo(changed);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 262_145, Integer.MAX_VALUE})
    void shouldRefuseALengthOutOfRange(int length) {
        assertThatThrownBy(() -> FrameCodec.checkLength(length))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("Frame length must be within 1 to 262144 bytes, is " + length);
    }

    @Test
    void shouldTakeTheSmallestAndTheLargestLength() {
        assertThat(FrameCodec.checkLength(1)).isEqualTo(1);
        assertThat(FrameCodec.checkLength(262_144)).isEqualTo(262_144);
    }

    @Test
    void shouldRefuseEveryUnknownType() {
        for (int id = 0; id < 256; id++) {
            if (FrameType.fromId(id).isPresent()) {
                continue;
            }
            ByteBuffer content = ByteBuffer.wrap(new byte[] {(byte) id, 0, 0});
            assertThatThrownBy(() -> FrameCodec.decode(content, Peer.CLIENT))
                    .isInstanceOf(MalformedFrameException.class)
                    .hasMessage("Frame type is unknown: " + id);
        }
    }

    @Test
    void shouldRefuseToWriteAFrameAboveTheLimit() {
        Frame frame = new TransferChunk(1, ByteBuffer.allocate(TransferSplitter.MAX_CHUNK_BYTES + 1));

        assertThatThrownBy(() -> FrameCodec.sizeOf(frame))
                .isInstanceOf(FrameTooLargeException.class)
                .hasMessage("TRANSFER_CHUNK frame of 262145 bytes is larger than the limit of 262144 bytes");
    }

    @Test
    void shouldNotCopyAPayloadThatItReads() {
        ByteBuffer content = content(new TransferChunk(1, ByteBuffer.wrap(new byte[] {1, 2, 3})));
        TransferChunk chunk = (TransferChunk) FrameCodec.decode(content, Peer.CLIENT);

        content.put(content.limit() - 1, (byte) 9);

        assertThat(chunk.payload().get(2)).isEqualTo((byte) 9);
    }

    private static Peer sender(Frame frame) {
        return frame.type().sentBy(Peer.CLIENT) ? Peer.CLIENT : Peer.SERVER;
    }

    static ByteBuffer encoded(Frame frame) {
        ByteBuffer target = ByteBuffer.allocate(FrameCodec.sizeOf(frame));
        FrameCodec.encode(frame, target);
        assertThat(target.hasRemaining()).isFalse();
        return target.flip();
    }

    private static ByteBuffer content(Frame frame) {
        ByteBuffer whole = encoded(frame);
        assertThat(whole.getInt()).isEqualTo(whole.remaining());
        byte[] content = new byte[whole.remaining()];
        whole.get(content);
        return ByteBuffer.wrap(content);
    }
}
