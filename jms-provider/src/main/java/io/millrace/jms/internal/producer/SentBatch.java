package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.SendAnswer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A batch that was built, with the answer to its last try. Its bytes never change: the server knows a repetition by them. */
final class SentBatch {

    /** Fields of a Send frame in front of the batch. */
    static final int FRAME_HEAD_BYTES = 34;

    enum Outcome {
        /** Sent and not answered. */
        OPEN,
        /** To be sent, or sent again, when its turn comes. */
        QUEUED,
        /** Lost with its socket, or refused for now: to be repeated with the same bytes once the leader is known. */
        UNSENT,
        STORED,
        /** Certainly not stored, because one before it is missing at the server. */
        GAP,
        FAILED
    }

    private final ByteBuffer bytes;
    private final List<OutgoingMessage> messages;
    private Outcome outcome = Outcome.QUEUED;
    private Optional<LinkException> failure = Optional.empty();

    SentBatch(ByteBuffer bytes, List<OutgoingMessage> messages) {
        this.bytes = bytes;
        this.messages = List.copyOf(messages);
    }

    ByteBuffer bytes() {
        return bytes.duplicate();
    }

    List<OutgoingMessage> messages() {
        return messages;
    }

    int session() {
        return messages.get(0).session();
    }

    SendAnswer answer() {
        boolean anyPersistent = messages.stream().anyMatch(OutgoingMessage::persistent);
        return anyPersistent ? SendAnswer.REPLICATED : SendAnswer.WRITTEN;
    }

    boolean needsTransfer() {
        return bytes.remaining() > FrameCodec.MAX_FRAME_BYTES - FRAME_HEAD_BYTES;
    }

    Outcome outcome() {
        return outcome;
    }

    void outcome(Outcome next) {
        outcome = next;
    }

    void fail(LinkException why) {
        outcome = Outcome.FAILED;
        failure = Optional.of(why);
    }

    void tellStored() {
        messages.forEach(message -> message.listener().onStored());
    }

    void tellFailed() {
        LinkException why = failure.orElseThrow();
        messages.forEach(message -> message.listener().onFailed(why));
    }
}
