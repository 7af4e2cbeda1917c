package io.millrace.wire.frame;

import io.millrace.wire.name.DestinationKind;
import java.util.Objects;
import java.util.Optional;

/**
 * Removes the messages of a queue, or of one durable subscription, that are not with a consumer: they count as acknowledged. Answered by
 * {@link DestinationPurged} once that is as durable as an acknowledgement.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param kind what it must be
 * @param name JMS name
 * @param subscription name of the durable subscription of a topic; null for a queue
 * @param clientId JMS client id that the subscription belongs to
 * @param dryRun whether to count only
 */
public record PurgeDestination(
        int corr,
        DestinationKind kind,
        String name,
        Optional<String> subscription,
        Optional<String> clientId,
        boolean dryRun)
        implements RequestFrame {

    /** Checks the ranges. */
    public PurgeDestination {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(subscription, "subscription");
        Objects.requireNonNull(clientId, "clientId");
    }

    static PurgeDestination read(FieldReader in) {
        return new PurgeDestination(
                in.i32("corr"),
                in.kind("kind"),
                in.string("name"),
                in.nullableString("subscription"),
                in.nullableString("clientId"),
                in.bool("dryRun"));
    }

    static void write(FieldWriter out, PurgeDestination frame) {
        out.i32(frame.corr);
        out.kind(frame.kind);
        out.string(frame.name);
        out.nullableString(frame.subscription);
        out.nullableString(frame.clientId);
        out.bool(frame.dryRun);
    }

    @Override
    public FrameType type() {
        return FrameType.PURGE_DESTINATION;
    }
}
