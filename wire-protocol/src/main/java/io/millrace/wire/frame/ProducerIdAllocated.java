package io.millrace.wire.frame;

/**
 * Answer to {@link AllocateProducerId}: an id that nobody else was or will be given.
 *
 * @param corr of the request
 * @param producerId the id
 * @param epoch its first epoch
 */
public record ProducerIdAllocated(int corr, long producerId, short epoch) implements AnswerFrame {

    /** Checks the ranges. */
    public ProducerIdAllocated {
        FieldChecks.atLeast(0, producerId, "producerId");
        FieldChecks.atLeast(0, epoch, "epoch");
    }

    static ProducerIdAllocated read(FieldReader in) {
        return new ProducerIdAllocated(in.i32("corr"), in.i64("producerId"), in.i16("epoch"));
    }

    static void write(FieldWriter out, ProducerIdAllocated frame) {
        out.i32(frame.corr);
        out.i64(frame.producerId);
        out.i16(frame.epoch);
    }

    @Override
    public FrameType type() {
        return FrameType.PRODUCER_ID_ALLOCATED;
    }
}
