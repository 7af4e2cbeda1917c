package io.millrace.broker.internal.network;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.TransferAssembler;
import io.millrace.wire.frame.TransferBegin;
import io.millrace.wire.frame.TransferChunk;
import io.millrace.wire.frame.TransferGrant;
import io.millrace.wire.time.TimeSource;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection that come in chunks. Each waits until the {@link TransferPool} has room for all of it, is granted, and
 * put together. Runs on the connection's loop, except {@link #stalledNs}.
 */
final class InboundTransfers {

    /** Transfers of one connection that may wait or be under way. */
    static final int MAX_OPEN = 16;

    private static final long NOTHING_GRANTED = Long.MIN_VALUE;

    /** Slower ones keep the memory from others. */
    private static final int MIN_BYTES_PER_SECOND = 16 * 1024;

    private final NativeConnection connection;
    private final TransferPool pool;
    private final TransferAssembler assembler;
    private final int maxTransferBytes;
    private final TimeSource time;
    private final Map<Integer, TransferPool.Reservation> reservations = new HashMap<>();
    private int granted;
    private boolean closed;
    private volatile long lastChunkNs = NOTHING_GRANTED;

    InboundTransfers(NativeConnection connection, TransferPool pool, int maxTransferBytes, TimeSource time) {
        this.connection = connection;
        this.pool = pool;
        this.assembler = new TransferAssembler(maxTransferBytes, MAX_OPEN);
        this.maxTransferBytes = maxTransferBytes;
        this.time = time;
    }

    void begin(TransferBegin begin) {
        if (begin.totalBytes() > maxTransferBytes) {
            throw new ProtocolViolationException(
                    ErrorCode.FRAME_TOO_LARGE,
                    "a transfer of " + begin.totalBytes() + " bytes was announced, at most " + maxTransferBytes
                            + " are taken");
        }
        assembler.onBegin(begin, false);
        int id = begin.transferId();
        reservations.put(id, pool.reserve(begin.totalBytes(), () -> connection.onLoop(() -> grant(id))));
    }

    private void grant(int id) {
        if (!closed && assembler.grant(id)) {
            granted++;
            lastChunkNs = time.nanoTime();
            connection.send(new TransferGrant(id));
        }
    }

    /** Takes a chunk; returns the whole frame when it was the last one. */
    Optional<Completed> chunk(TransferChunk chunk) {
        long last = lastChunkNs;
        if (last != NOTHING_GRANTED) {
            lastChunkNs =
                    Math.min(time.nanoTime() - last, worthNs(chunk.payload().remaining())) + last;
        }
        return assembler.onChunk(chunk).map(content -> {
            granted--;
            if (granted == 0) {
                lastChunkNs = NOTHING_GRANTED;
            }
            TransferPool.@Nullable Reservation reservation = reservations.remove(chunk.transferId());
            return new Completed(content, reservation == null ? () -> {} : reservation::release);
        });
    }

    /** Time that so many bytes may take: a byte now and then does not hold up the clock. */
    private static long worthNs(int bytes) {
        return TimeUnit.SECONDS.toNanos(bytes) / MIN_BYTES_PER_SECOND;
    }

    /**
     * Returns for how long the client has had a grant and not used it, which keeps memory from others. May be called from any thread.
     */
    long stalledNs(long nowNs) {
        long last = lastChunkNs;
        return last == NOTHING_GRANTED ? 0 : nowNs - last;
    }

    void close() {
        closed = true;
        reservations.values().forEach(TransferPool.Reservation::release);
        reservations.clear();
    }

    /** A frame that has all its bytes; {@code release} gives back the memory. */
    record Completed(ByteBuffer content, Runnable release) {}
}
