package io.millrace.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Whatever bytes arrive as a frame: it is refused with {@link MalformedFrameException}, or it is a frame that is written and read again
 * as itself. The length in front is not fuzzed: whoever cuts the stream checks it, see {@link FrameCodec#checkLength}.
 */
class FrameFuzzTest {
    private static final int MAX_TRANSFER_BYTES = 1 << 20;
    private static final int MAX_OPEN_TRANSFERS = 4;

    @FuzzTest
    void request(byte[] content) {
        decodeAndBack(content, Peer.CLIENT);
    }

    @FuzzTest
    void answer(byte[] content) {
        decodeAndBack(content, Peer.SERVER);
    }

    private static void decodeAndBack(byte[] content, Peer sender) {
        Frame frame;
        try {
            frame = FrameCodec.decode(ByteBuffer.wrap(content), sender);
        } catch (MalformedFrameException refused) {
            return;
        }
        ByteBuffer encoded = ByteBuffer.allocate(FrameCodec.sizeOf(frame));
        FrameCodec.encode(frame, encoded);
        assertThat(encoded.hasRemaining()).as("size of %s", frame).isFalse();
        ByteBuffer again = encoded.flip().position(FrameCodec.LENGTH_BYTES).slice();
        assertThat(FrameCodec.decode(again, sender)).isEqualTo(frame);
    }

    /** The input is a script: announcements, grants and chunks of few transfers, in any order. */
    @FuzzTest
    void transfers(byte[] script) {
        TransferAssembler assembler = new TransferAssembler(MAX_TRANSFER_BYTES, MAX_OPEN_TRANSFERS);
        ByteBuffer in = ByteBuffer.wrap(script);
        while (in.remaining() >= 3) {
            int step = Byte.toUnsignedInt(in.get());
            int id = step >>> 2;
            int size = Short.toUnsignedInt(in.getShort());
            try {
                switch (step & 3) {
                    case 0 -> assembler.onBegin(begin(id, size), false);
                    case 1 -> assembler.onBegin(begin(id, size << 8), true);
                    case 2 -> assembler.grant(id);
                    default -> {
                        byte[] bytes = new byte[Math.min(size, in.remaining())];
                        in.get(bytes);
                        Optional<ByteBuffer> whole = assembler.onChunk(new TransferChunk(id, ByteBuffer.wrap(bytes)));
                        whole.ifPresent(FrameFuzzTest::decodeTransferred);
                    }
                }
            } catch (MalformedFrameException | InvalidFieldException refused) {
                // The connection would end here; the assembler must hold whatever comes.
            }
            assertThat(assembler.openTransfers()).isBetween(0, MAX_OPEN_TRANSFERS);
        }
    }

    private static TransferBegin begin(int id, int totalBytes) {
        return new TransferBegin(id, totalBytes);
    }

    private static void decodeTransferred(ByteBuffer content) {
        assertThat(FrameCodec.decodeTransferred(content, Peer.CLIENT).type().transferable())
                .isTrue();
    }

    @FuzzTest
    void prologue(byte[] bytes) {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        sent.writeBytes(
                ByteBuffer.allocate(Integer.BYTES).putInt(Prologue.MAGIC).array());
        sent.write(bytes, 0, Math.min(bytes.length, Prologue.BYTES - Integer.BYTES));
        ByteBuffer prologue = ByteBuffer.wrap(sent.toByteArray());
        if (prologue.remaining() < Prologue.BYTES) {
            return;
        }
        try {
            Prologue.Client client = Prologue.Client.decode(prologue.duplicate());
            Prologue.Server answer = Prologue.Server.answerTo(client);
            ByteBuffer encoded = ByteBuffer.allocate(Prologue.BYTES);
            answer.encode(encoded);
            assertThat(Prologue.Server.decode(encoded.flip())).isEqualTo(answer);
        } catch (MalformedFrameException refused) {
            // Fine: the connection ends.
        }
        try {
            Prologue.Server.decode(prologue.duplicate());
        } catch (MalformedFrameException refused) {
            // Fine: the client gives up.
        }
    }
}
