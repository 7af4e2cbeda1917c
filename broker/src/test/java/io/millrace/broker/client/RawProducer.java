package io.millrace.broker.client;

import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.time.SystemTimeSource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A producer of a test on partition 0 of a destination, with an id and sequence of its own. */
public final class RawProducer {

    private final RawClient client;
    private final int session;
    private final DestinationDescribed destination;
    private final long producerId;
    private int sequence;

    public RawProducer(RawClient client, int session, DestinationDescribed destination) {
        this(client, session, destination, client.producerId(), 0);
    }

    public RawProducer(RawClient client, int session, DestinationDescribed destination, long producerId, int sequence) {
        this.client = client;
        this.session = session;
        this.destination = destination;
        this.producerId = producerId;
        this.sequence = sequence;
    }

    public long producerId() {
        return producerId;
    }

    /** Sends texts as one batch and waits until it is durable. */
    public SendOk send(String... texts) {
        SendOk ok = client.request(SendOk.class, corr -> frame(corr, SendAnswer.REPLICATED, batch(sequence, texts)));
        sequence += texts.length;
        return ok;
    }

    /** Sends a text so many times, each as a batch of its own, and waits until all are durable. */
    public void sendEach(int count, String text) {
        for (int i = 0; i < count; i++) {
            send(text);
        }
    }

    /** Sends texts as one batch, without waiting for the answer. */
    public CompletableFuture<AnswerFrame> start(SendAnswer answer, String... texts) {
        int from = sequence;
        sequence += texts.length;
        return client.start(corr -> frame(corr, answer, batch(from, texts)));
    }

    /** Makes the frame of a send. */
    public Send frame(int corr, SendAnswer answer, ByteBuffer batch) {
        return new Send(
                corr,
                session,
                destination.logId(),
                0,
                destination.partitions().getFirst().leaderEpoch(),
                answer,
                batch);
    }

    /** Makes a batch that starts at a sequence number. */
    public ByteBuffer batch(int firstSequence, String... texts) {
        return batch(firstSequence, Compression.NONE, texts);
    }

    public ByteBuffer batch(int firstSequence, Compression compression, String... texts) {
        RecordBatchBuilder builder = new RecordBatchBuilder(128 << 20, 128 << 20).compression(compression);
        for (String text : texts) {
            if (!builder.tryAppend(
                    SystemTimeSource.instance().wallClockMs(), null, text.getBytes(StandardCharsets.UTF_8))) {
                throw new AssertionError("does not fit");
            }
        }
        ByteBuffer built =
                builder.producer(producerId, (short) 0, firstSequence).build();
        return ByteBuffer.allocate(built.remaining()).put(built).flip();
    }

    public int nextSequence() {
        return sequence;
    }
}
