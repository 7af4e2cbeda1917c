package io.millrace.wire.frame;

/**
 * Asks for a producer id. Answered by {@link ProducerIdAllocated}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 */
public record AllocateProducerId(int corr) implements RequestFrame {

    static AllocateProducerId read(FieldReader in) {
        return new AllocateProducerId(in.i32("corr"));
    }

    static void write(FieldWriter out, AllocateProducerId frame) {
        out.i32(frame.corr);
    }

    @Override
    public FrameType type() {
        return FrameType.ALLOCATE_PRODUCER_ID;
    }
}
