package io.millrace.benchmarks.micro;

import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Frames to bytes and back: a Send of 1 KiB, and an Acknowledge of one range. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FrameBenchmark {
    private final Send send = new Send(7, 1, new UUID(1, 2), 0, 0, SendAnswer.REPLICATED, ByteBuffer.allocate(1100));
    private final Acknowledge acknowledge = new Acknowledge(
            8, 1, true, List.of(new AcknowledgedRanges(0, 0, 0, 77, List.of(new OffsetRange(1000, 100)))));
    private final ByteBuffer target = ByteBuffer.allocate(2048);
    private final ByteBuffer sendBytes = bytes(send);
    private final ByteBuffer acknowledgeBytes = bytes(acknowledge);

    /** A Send is written. */
    @Benchmark
    public ByteBuffer encodeSend() {
        return encode(send);
    }

    /** A Send is read. */
    @Benchmark
    public Frame decodeSend() {
        return decode(sendBytes);
    }

    /** An Acknowledge is written. */
    @Benchmark
    public ByteBuffer encodeAcknowledge() {
        return encode(acknowledge);
    }

    /** An Acknowledge is read. */
    @Benchmark
    public Frame decodeAcknowledge() {
        return decode(acknowledgeBytes);
    }

    private ByteBuffer encode(Frame frame) {
        target.clear();
        FrameCodec.encode(frame, target);
        return target;
    }

    private static Frame decode(ByteBuffer bytes) {
        return FrameCodec.decode(bytes.duplicate().position(FrameCodec.LENGTH_BYTES), Peer.CLIENT);
    }

    private static ByteBuffer bytes(Frame frame) {
        ByteBuffer bytes = ByteBuffer.allocate(FrameCodec.sizeOf(frame));
        FrameCodec.encode(frame, bytes);
        return bytes.flip();
    }
}
