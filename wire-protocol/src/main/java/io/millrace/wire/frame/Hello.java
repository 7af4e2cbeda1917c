package io.millrace.wire.frame;

import java.util.Objects;
import java.util.UUID;

/**
 * First frame of a client.
 *
 * @param clientUuid identity of the JMS connection, kept over reconnects: its claims may be taken over by itself
 * @param product name of the client library, for people who read the server's log
 * @param clientVersion version of the client library
 */
public record Hello(UUID clientUuid, String product, String clientVersion) implements Frame {

    /** Checks the ranges. */
    public Hello {
        Objects.requireNonNull(clientUuid, "clientUuid");
        Objects.requireNonNull(product, "product");
        Objects.requireNonNull(clientVersion, "clientVersion");
    }

    static Hello read(FieldReader in) {
        return new Hello(in.uuid("clientUuid"), in.string("product"), in.string("clientVersion"));
    }

    static void write(FieldWriter out, Hello frame) {
        out.uuid(frame.clientUuid);
        out.string(frame.product);
        out.string(frame.clientVersion);
    }

    @Override
    public FrameType type() {
        return FrameType.HELLO;
    }
}
