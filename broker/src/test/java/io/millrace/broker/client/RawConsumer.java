package io.millrace.broker.client;

import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.ConsumerOpened;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.DeliveryForm;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.HeldAcquisition;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PullDone;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** A consumer of a test on partition 0 of a destination. */
public final class RawConsumer {

    /** A message as it arrived. */
    public record Message(long offset, String text, int deliveryCount, long acquisition) {}

    private static final int CREDIT_BYTES = 10_000_000;

    private final RawClient client;
    private final int session;
    private final int consumer;
    private final ConsumerOpened opened;

    private RawConsumer(RawClient client, int session, int consumer, ConsumerOpened opened) {
        this.client = client;
        this.session = session;
        this.consumer = consumer;
        this.opened = opened;
    }

    public static RawConsumer onQueue(
            RawClient client, int session, int consumer, DestinationDescribed queue, int credit) {
        return open(
                client,
                session,
                consumer,
                queue,
                ConsumerSource.QUEUE,
                OpenConsumer.NO_SUBSCRIPTION,
                credit,
                List.of());
    }

    public static RawConsumer onSubscription(
            RawClient client, int session, int consumer, DestinationDescribed topic, UUID subscription, int credit) {
        return open(client, session, consumer, topic, ConsumerSource.SUBSCRIPTION, subscription, credit, List.of());
    }

    public static RawConsumer privateOn(
            RawClient client, int session, int consumer, DestinationDescribed topic, int credit) {
        return open(
                client,
                session,
                consumer,
                topic,
                ConsumerSource.PRIVATE,
                OpenConsumer.NO_SUBSCRIPTION,
                credit,
                List.of());
    }

    public static RawConsumer open(
            RawClient client,
            int session,
            int consumer,
            DestinationDescribed destination,
            ConsumerSource source,
            UUID subscription,
            int credit,
            List<HeldAcquisition> held) {
        ConsumerOpened opened = client.request(
                ConsumerOpened.class,
                corr -> new OpenConsumer(
                        corr,
                        session,
                        consumer,
                        destination.logId(),
                        0,
                        source,
                        subscription,
                        StartPosition.LATEST,
                        -1,
                        credit,
                        credit == 0 ? 0 : CREDIT_BYTES,
                        held));
        return new RawConsumer(client, session, consumer, opened);
    }

    public ConsumerOpened opened() {
        return opened;
    }

    /** Waits for so many messages of this consumer. */
    public List<Message> receive(int count) {
        List<Message> messages = new ArrayList<>();
        while (messages.size() < count) {
            Deliver delivery = client.delivery();
            if (delivery.session() != session || delivery.consumer() != consumer) {
                throw new AssertionError("delivery to another consumer: " + delivery);
            }
            messages.addAll(messagesOf(delivery));
        }
        return messages;
    }

    /** Takes the messages out of a delivery. */
    public static List<Message> messagesOf(Deliver delivery) {
        List<Message> messages = new ArrayList<>();
        int count = delivery.entries().count();
        try (RecordCursor records = delivery.form() == DeliveryForm.RECORDS
                ? RecordCursor.overRecords(delivery.payload(), delivery.baseOffset(), delivery.baseTimestampMs(), count)
                : RecordBatch.at(delivery.payload(), 0).records()) {
            int entry = 0;
            while (entry < count && records.next()) {
                long wanted = delivery.baseOffset() + delivery.entries().offsetDelta(entry);
                if (records.offset() == wanted) {
                    messages.add(new Message(
                            wanted,
                            text(Objects.requireNonNull(records.value())),
                            delivery.entries().deliveryCount(entry),
                            delivery.acquisition()));
                    entry++;
                }
            }
            if (entry < count) {
                throw new AssertionError("entry " + entry + " of " + delivery + " has no record");
            }
        }
        return messages;
    }

    private static String text(ByteBuffer value) {
        return StandardCharsets.UTF_8.decode(value).toString();
    }

    public void credit(int messages) {
        client.send(new Credit(session, consumer, 0, messages, CREDIT_BYTES));
    }

    /** Returns whether more is there than the credit covers, once all that is covered has arrived. */
    public boolean pull() {
        return client.request(PullDone.class, corr -> new Pull(corr, session, consumer, 0))
                .more();
    }

    /** Acknowledges messages and waits until that is durable. */
    public Acknowledged acknowledge(List<Message> messages) {
        return acknowledge(messages, true);
    }

    public Acknowledged acknowledge(List<Message> messages, boolean durable) {
        List<AcknowledgedRanges> items = messages.stream()
                .map(message -> new AcknowledgedRanges(
                        consumer,
                        0,
                        opened.leaderEpoch(),
                        message.acquisition(),
                        List.of(new OffsetRange(message.offset(), 1))))
                .toList();
        return client.request(Acknowledged.class, corr -> new Acknowledge(corr, session, durable, items));
    }
}
