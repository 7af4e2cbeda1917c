package io.millrace.wire.frame;

import io.millrace.wire.name.DestinationKind;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Creates a temporary destination of this connection on this broker, or takes one up again under the name that it had. Answered by {@link
 * DestinationDescribed}. May be asked twice: the same key gives the same destination.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param kind what it shall be
 * @param key secret of the connection, random for each destination; its digest is a part of the name
 * @param name the name that it had before the connection was lost; empty for a new one
 */
public record CreateTemporary(int corr, DestinationKind kind, UUID key, Optional<String> name) implements RequestFrame {

    /** Checks that everything is there. */
    public CreateTemporary {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(name, "name");
    }

    static CreateTemporary read(FieldReader in) {
        return new CreateTemporary(in.i32("corr"), in.kind("kind"), in.uuid("key"), in.nullableString("name"));
    }

    static void write(FieldWriter out, CreateTemporary frame) {
        out.i32(frame.corr);
        out.kind(frame.kind);
        out.uuid(frame.key);
        out.nullableString(frame.name);
    }

    @Override
    public FrameType type() {
        return FrameType.CREATE_TEMPORARY;
    }

    /** Says everything but the secret. */
    @Override
    public String toString() {
        return "CreateTemporary[corr=" + corr + ", kind=" + kind + ", name=" + name + "]";
    }
}
