package io.millrace.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferTest {

    private static final int LIMIT_BYTES = 2_000_000;
    private static final UUID LOG = new UUID(1, 2);

    private final TransferAssembler assembler = new TransferAssembler(LIMIT_BYTES, 2);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 262_139, 262_140, 524_278, 1_000_000})
    void shouldPutTogetherWhatWasCut(int payloadBytes) {
        Send send = send(payloadBytes);
        TransferSplitter splitter = new TransferSplitter(7, send);
        assembler.onBegin(splitter.begin(), true);

        Optional<ByteBuffer> content = Optional.empty();
        while (splitter.hasNext()) {
            assertThat(content).as("complete before the last chunk").isEmpty();
            TransferChunk chunk = splitter.next();
            assertThat(FrameCodec.sizeOf(chunk)).isLessThanOrEqualTo(4 + FrameCodec.MAX_FRAME_BYTES);
            content = assembler.onChunk(chunk);
        }

        assertThat(FrameCodec.decodeTransferred(content.orElseThrow(), Peer.CLIENT))
                .isEqualTo(send);
        assertThat(assembler.openTransfers()).isZero();
        assertThatThrownBy(splitter::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void shouldNotCopyThePayloadThatItCuts() {
        ByteBuffer batch = ByteBuffer.allocate(500_000);
        TransferSplitter splitter = new TransferSplitter(7, new Send(1, 1, LOG, 0, 0, SendAnswer.WRITTEN, batch));
        splitter.next(); // the fields before the payload
        TransferChunk chunk = splitter.next();

        batch.put(0, (byte) 9);

        assertThat(chunk.payload().get(0)).isEqualTo((byte) 9);
    }

    @Test
    void shouldCarryFramesWithoutPayload() {
        DestinationSummary summary =
                new DestinationSummary("n".repeat(240), io.millrace.wire.name.DestinationKind.QUEUE, LOG, 1, 0, 0);
        DestinationsListed listed = new DestinationsListed(1, Collections.nCopies(2_000, summary));
        TransferSplitter splitter = new TransferSplitter(1, listed);
        assembler.onBegin(splitter.begin(), true);

        assertThat(assembler.onChunk(splitter.next())).isEmpty();
        assertThat(assembler.onChunk(splitter.next())).isEmpty();
        ByteBuffer content = assembler.onChunk(splitter.next()).orElseThrow();

        assertThat(FrameCodec.decodeTransferred(content, Peer.SERVER)).isEqualTo(listed);
    }

    @Test
    void shouldKeepInterleavedTransfersApart() {
        Send first = send(300_000);
        Send second = send(400_000);
        TransferSplitter left = new TransferSplitter(1, first);
        TransferSplitter right = new TransferSplitter(2, second);
        assembler.onBegin(left.begin(), true);
        assembler.onBegin(right.begin(), true);

        assembler.onChunk(left.next());
        assembler.onChunk(right.next());
        assembler.onChunk(left.next());
        assembler.onChunk(right.next());
        ByteBuffer secondContent = assembler.onChunk(right.next()).orElseThrow();
        ByteBuffer firstContent = assembler.onChunk(left.next()).orElseThrow();

        assertThat(FrameCodec.decodeTransferred(firstContent, Peer.CLIENT)).isEqualTo(first);
        assertThat(FrameCodec.decodeTransferred(secondContent, Peer.CLIENT)).isEqualTo(second);
    }

    @Test
    void shouldTakeChunksOnlyAfterTheGrant() {
        TransferSplitter splitter = new TransferSplitter(1, send(300_000));
        assembler.onBegin(splitter.begin(), false);
        TransferChunk chunk = splitter.next();
        assertThatThrownBy(() -> assembler.onChunk(chunk))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("1 was not granted");

        assertThat(assembler.grant(1)).isTrue();
        assertThat(assembler.grant(2)).isFalse();

        assertThat(assembler.onChunk(chunk)).isEmpty();
    }

    @Test
    void shouldRefuseWhatIsAboveTheLimits() {
        assertThatThrownBy(() -> assembler.onBegin(new TransferBegin(1, LIMIT_BYTES + 1), true))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("2000001 is above the limit of 2000000");
        assembler.onBegin(new TransferBegin(1, LIMIT_BYTES), true);
        assertThatThrownBy(() -> assembler.onBegin(new TransferBegin(1, 1), true))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("not complete");
        assembler.onBegin(new TransferBegin(2, LIMIT_BYTES), true);
        assertThatThrownBy(() -> assembler.onBegin(new TransferBegin(3, 1), true))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("more than 2 transfers");
    }

    @Test
    void shouldRefuseChunksThatNobodyAnnounced() {
        assertThatThrownBy(() -> assembler.onChunk(new TransferChunk(1, ByteBuffer.allocate(1))))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("1 was not begun");
    }

    @Test
    void shouldRefuseMoreBytesThanAnnounced() {
        assembler.onBegin(new TransferBegin(1, 10), true);
        assembler.onChunk(new TransferChunk(1, ByteBuffer.allocate(6)));

        assertThatThrownBy(() -> assembler.onChunk(new TransferChunk(1, ByteBuffer.allocate(5))))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("5 bytes, but transfer 1 lacks only 4");
    }

    @Test
    void shouldRefuseTransfersOfFramesThatMustBeSmall() {
        Frame pull = new Pull(1, 1, 1, 0);
        assertThatThrownBy(() -> new TransferSplitter(1, pull)).isInstanceOf(FrameTooLargeException.class);

        ByteBuffer content = FrameCodecTest.encoded(pull);
        content.position(FrameCodec.LENGTH_BYTES);
        assertThatThrownBy(() -> FrameCodec.decodeTransferred(content, Peer.CLIENT))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("PULL frame, field type: cannot travel in a transfer");
    }

    @Test
    void shouldCarryNoTransferInsideATransfer() {
        assertThat(List.of(FrameType.TRANSFER_BEGIN, FrameType.TRANSFER_GRANT, FrameType.TRANSFER_CHUNK))
                .noneMatch(FrameType::transferable);
    }

    private static Send send(int payloadBytes) {
        byte[] batch = new byte[payloadBytes];
        new SplittableRandom(payloadBytes).nextBytes(batch);
        return new Send(5, 1, LOG, 0, 3, SendAnswer.REPLICATED, ByteBuffer.wrap(batch));
    }
}
