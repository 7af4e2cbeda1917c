package io.millrace.wire.frame;

import io.millrace.wire.name.DestinationKind;
import java.util.Objects;
import java.util.UUID;

/**
 * One destination in a list.
 *
 * @param name JMS name
 * @param kind what it is
 * @param logId identity of the log
 * @param partitions how many
 * @param messages queue: not yet acknowledged; topic: stored
 * @param bytes size of all segments
 */
public record DestinationSummary(
        String name, DestinationKind kind, UUID logId, int partitions, long messages, long bytes) {

    /** Checks the ranges. */
    public DestinationSummary {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(logId, "logId");
        FieldChecks.atLeast(1, partitions, "partitions");
        FieldChecks.atLeast(0, messages, "messages");
        FieldChecks.atLeast(0, bytes, "bytes");
    }

    static DestinationSummary read(FieldReader in) {
        return new DestinationSummary(
                in.string("name"),
                in.kind("kind"),
                in.uuid("logId"),
                in.i32("partitions"),
                in.i64("messages"),
                in.i64("bytes"));
    }

    static void write(FieldWriter out, DestinationSummary item) {
        out.string(item.name);
        out.kind(item.kind);
        out.uuid(item.logId);
        out.i32(item.partitions);
        out.i64(item.messages);
        out.i64(item.bytes);
    }
}
