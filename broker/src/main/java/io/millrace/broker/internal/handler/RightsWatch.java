package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.ConsumerAddress;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.security.Rights;
import io.millrace.broker.internal.session.Sessions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.MetadataListener;
import io.millrace.coordinator.metadata.MetadataRecord;
import io.millrace.wire.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Ends the consumers of those who lose the right to read, when lists change: what they hold comes back, and they are told. Looks once
 * for all changes of a moment. On the control shard; is told of changes on the metadata's executor.
 */
public final class RightsWatch implements MetadataListener {

    private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Sessions sessions;
    private final Shard control;
    private final Supplier<MetadataImage> image;
    private final AtomicBoolean due = new AtomicBoolean();

    /** @param image what exists now */
    public RightsWatch(Sessions sessions, Shard control, Supplier<MetadataImage> image) {
        this.sessions = sessions;
        this.control = control;
        this.image = image;
    }

    @Override
    public void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records) {
        onChange(before, after);
    }

    @Override
    public void onReset(MetadataImage before, MetadataImage after) {
        onChange(before, after);
    }

    // Lists are immutable: others are another object.
    @SuppressWarnings("ReferenceEquality")
    private void onChange(MetadataImage before, MetadataImage after) {
        if (before.acls() != after.acls() && due.compareAndSet(false, true)) {
            control.execute(() -> control.schedule(DELAY_NS, this::look));
        }
    }

    private void look() {
        due.set(false);
        for (ClientSession session : sessions.attached()) {
            session.link()
                    .map(link -> link.connection().rights())
                    .filter(rights -> !rights.isUnlimited())
                    .ifPresent(rights -> look(session, rights));
        }
    }

    private void look(ClientSession session, Rights rights) {
        session.consumers().forEach(consumer -> {
            Optional<String> why = denial(consumer, rights);
            if (why.isPresent()) {
                ConsumerAddress address = new ConsumerAddress(
                        consumer.key().consumer(), consumer.partition().id().partition());
                end(consumer, why.get());
                session.removeConsumer(address);
            }
        });
    }

    private Optional<String> denial(SessionConsumer consumer, Rights rights) {
        Partition partition = consumer.partition();
        if (partition.isInMemory()) {
            return Optional.empty(); // a temporary destination is its connection's own
        }
        String topic = partition.id().logName();
        if (!rights.mayLog(AclOperation.READ, partition.logId(), topic)) {
            return Optional.of(rights.denial(AclOperation.READ, Need.describe(AclResourceType.TOPIC, topic)));
        }
        return RightsGate.groupOf(image.get(), consumer.cursor().value())
                .filter(group -> !rights.may(AclOperation.READ, AclResourceType.GROUP, group))
                .map(group -> rights.denial(AclOperation.READ, Need.describe(AclResourceType.GROUP, group)));
    }

    private static void end(SessionConsumer consumer, String why) {
        Partition partition = consumer.partition();
        partition
                .shard()
                .execute(() ->
                        partition.consumers().expel(consumer.key(), consumer.cursor(), ErrorCode.NOT_AUTHORIZED, why));
    }
}
