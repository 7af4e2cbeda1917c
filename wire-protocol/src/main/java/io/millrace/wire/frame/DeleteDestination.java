package io.millrace.wire.frame;

import io.millrace.wire.name.DestinationKind;
import java.util.Objects;

/**
 * Deletes a destination with all its messages. Answered by {@link Done}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param kind what it must be
 * @param name JMS name
 */
public record DeleteDestination(int corr, DestinationKind kind, String name) implements RequestFrame {

    /** Checks the ranges. */
    public DeleteDestination {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
    }

    static DeleteDestination read(FieldReader in) {
        return new DeleteDestination(in.i32("corr"), in.kind("kind"), in.string("name"));
    }

    static void write(FieldWriter out, DeleteDestination frame) {
        out.i32(frame.corr);
        out.kind(frame.kind);
        out.string(frame.name);
    }

    @Override
    public FrameType type() {
        return FrameType.DELETE_DESTINATION;
    }
}
