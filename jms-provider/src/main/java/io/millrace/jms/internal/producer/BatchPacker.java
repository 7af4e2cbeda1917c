package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.record.BatchTooLargeException;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Makes batches of the messages that wait: as many as fit into one frame, or one that is larger than that. */
final class BatchPacker {

    private final Compression compression;
    private final int maxBytes;
    private final int targetBytes;

    /**
     * Packs for one destination.
     *
     * @param compression of the batches
     * @param maxMessageBytes largest batch that the destination takes
     */
    BatchPacker(Compression compression, int maxMessageBytes) {
        this.compression = compression;
        this.maxBytes = Math.max(maxMessageBytes, RecordBatch.HEADER_SIZE);
        this.targetBytes = Math.min(maxBytes, FrameCodec.MAX_FRAME_BYTES - SentBatch.FRAME_HEAD_BYTES);
    }

    /**
     * Takes messages from the head of the queue. One that no batch can hold is taken too, and told so.
     *
     * @return the batch; empty if no message is left that fits
     */
    Optional<SentBatch> pack(Deque<OutgoingMessage> waiting, ProducerIdentity producer, int sequence) {
        return pack(waiting, producer, sequence, false);
    }

    /** As {@link #pack}, but the batch belongs to the transaction with this identity. */
    Optional<SentBatch> packTransactional(Deque<OutgoingMessage> waiting, ProducerIdentity producer, int sequence) {
        return pack(waiting, producer, sequence, true);
    }

    private Optional<SentBatch> pack(
            Deque<OutgoingMessage> waiting, ProducerIdentity producer, int sequence, boolean transactional) {
        // A builder of its own each time: the batch stays in its memory until it is answered.
        RecordBatchBuilder builder = new RecordBatchBuilder(targetBytes, maxBytes)
                .compression(compression)
                .transactional(transactional);
        List<OutgoingMessage> packed = new ArrayList<>();
        while (!waiting.isEmpty()) {
            OutgoingMessage next = waiting.element();
            try {
                if (!next.encoded().tryAppendTo(builder)) {
                    break;
                }
                packed.add(waiting.remove());
            } catch (BatchTooLargeException tooLarge) {
                waiting.remove();
                next.listener()
                        .onFailed(tooLarge("The destination takes batches of at most " + maxBytes + " bytes: "
                                + tooLarge.getMessage()));
            }
        }
        if (packed.isEmpty()) {
            return Optional.empty();
        }
        builder.producer(producer.producerId(), producer.epoch(), sequence);
        return Optional.of(new SentBatch(builder.build(), packed));
    }

    static RequestRefusedException tooLarge(String why) {
        return new RequestRefusedException(ErrorCode.MESSAGE_TOO_LARGE, why);
    }
}
