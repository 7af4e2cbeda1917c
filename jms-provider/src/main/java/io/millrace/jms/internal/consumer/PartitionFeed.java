package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.message.Delivery;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ConsumerOpened;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.DeliveryEntries;
import io.millrace.wire.frame.DeliveryForm;
import io.millrace.wire.frame.HeldAcquisition;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.ReleasedRanges;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.message.BodyDefault;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.record.BufferSupplier;
import io.millrace.wire.record.DecompressionLimits;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * One partition of a consumer: its credit, what it holds, and where a private cursor would go on. DETACHED -> ATTACHING -> ATTACHED; back to
 * DETACHED when the socket is lost or the server ends it. Confined to the loop.
 */
final class PartitionFeed {

    /** Bytes of records that may be ahead of the application; a larger message still comes, alone. */
    static final int MAX_AHEAD_BYTES = 1 << 20;

    private enum State {
        DETACHED,
        ATTACHING,
        ATTACHED
    }

    private final FeedSession session;
    private final ConsumerSpec spec;
    private final int consumer;
    private final int partition;
    private final RecordOrigin origin;
    private final Map<Long, Acquisition> acquisitions = new LinkedHashMap<>();

    private State state = State.DETACHED;
    private int leaderEpoch;
    private int creditMessages;
    private long creditBytes;
    private int unreadMessages;
    private long unreadBytes;

    /** Where a private cursor goes on; empty before it was opened for the first time. */
    private OptionalLong position = OptionalLong.empty();

    PartitionFeed(FeedSession session, ConsumerSpec spec, int consumer, int partition) {
        this.session = session;
        this.spec = spec;
        this.consumer = consumer;
        this.partition = partition;
        this.origin = new RecordOrigin(spec.logId(), partition, BodyDefault.TEXT);
    }

    /** Makes the feed of a partition that is younger than its consumer, which gets everything that was ever in it. */
    static PartitionFeed added(FeedSession session, ConsumerSpec spec, int consumer, int partition) {
        PartitionFeed feed = new PartitionFeed(session, spec, consumer, partition);
        feed.position = OptionalLong.of(0);
        return feed;
    }

    /** Returns the number of the session that messages are lent to. */
    int session() {
        return session.number();
    }

    int consumer() {
        return consumer;
    }

    int partition() {
        return partition;
    }

    boolean attached() {
        return state == State.ATTACHED;
    }

    /**
     * Opens the consumer at the server, or attaches to it again.
     *
     * @param subscriptionUuid of its subscription, or {@link OpenConsumer#NO_SUBSCRIPTION}
     * @param handler hears when it is open
     */
    void attach(UUID subscriptionUuid, ReplyHandler handler) {
        state = State.ATTACHING;
        creditMessages = 0;
        creditBytes = 0;
        ConsumerSource source = spec.privateCursor()
                ? ConsumerSource.PRIVATE
                : spec.subscribe().isPresent() ? ConsumerSource.SUBSCRIPTION : ConsumerSource.QUEUE;
        OptionalLong startOffset = spec.privateCursor() ? resumePosition() : OptionalLong.empty();
        List<HeldAcquisition> held = acquisitions.values().stream()
                .map(acquisition -> new HeldAcquisition(acquisition.id(), acquisition.heldRanges()))
                .toList();
        session.ask(
                corr -> new OpenConsumer(
                        corr,
                        session.number(),
                        consumer,
                        spec.logId(),
                        partition,
                        source,
                        subscriptionUuid,
                        startOffset.isPresent() ? StartPosition.OFFSET : StartPosition.LATEST,
                        startOffset.orElse(-1),
                        spec.selector(),
                        0,
                        0,
                        held),
                new ReplyHandler() {
                    @Override
                    public void onAnswer(AnswerFrame answer) {
                        onAttached((ConsumerOpened) answer);
                        handler.onAnswer(answer);
                    }

                    @Override
                    public void onFailure(LinkException failure) {
                        state = State.DETACHED;
                        handler.onFailure(failure);
                    }
                });
    }

    private void onAttached(ConsumerOpened opened) {
        state = State.ATTACHED;
        leaderEpoch = Math.max(leaderEpoch, opened.leaderEpoch());
        if (position.isEmpty()) {
            position = OptionalLong.of(opened.nextOffset());
        }
    }

    /** The socket is gone; what we hold may still be ours. */
    void onDown() {
        state = State.DETACHED;
    }

    /** The server has taken everything back. */
    void onAcquisitionsVoid() {
        position = resumePosition();
        List.copyOf(acquisitions.values()).forEach(Acquisition::end);
        acquisitions.clear();
    }

    void onFinished(Acquisition acquisition) {
        acquisitions.remove(acquisition.id(), acquisition);
    }

    /** Released messages of a private cursor come again: it must not be resumed behind them. */
    void onReleased(ReleasedRanges released) {
        long first = released.ranges().get(0).firstOffset();
        if (position.isPresent() && first < position.getAsLong()) {
            position = OptionalLong.of(first);
        }
    }

    /** A message was taken out of the buffer, by the application or to be released. */
    void onTaken(HeldMessage message) {
        unreadMessages--;
        unreadBytes -= message.sizeBytes();
    }

    /** A message that was taken out is in the buffer again. */
    void onPutBack(HeldMessage message) {
        unreadMessages++;
        unreadBytes += message.sizeBytes();
    }

    int unreadMessages() {
        return unreadMessages;
    }

    /**
     * Grants credit if there should be more messages ahead.
     *
     * @param window how many messages should be ahead of the application
     * @param hungry whether the application waits for one
     */
    void fill(int window, boolean hungry) {
        if (state != State.ATTACHED || !session.up()) {
            return;
        }
        int target = hungry ? Math.max(1, window) : window;
        int ahead = creditMessages + unreadMessages;
        boolean low = hungry ? creditMessages < target : ahead * 2 <= target;
        int messages = low ? Math.max(0, target - ahead) : 0;
        long room = MAX_AHEAD_BYTES - unreadBytes - Math.max(0, creditBytes);
        boolean starved = creditMessages > 0 && creditBytes <= 0 && (hungry || room * 2 >= MAX_AHEAD_BYTES);
        if (messages > 0 || starved) {
            long least = hungry && creditBytes <= 0 ? 1 : 0;
            // What the server has overdrawn counts against the credit that it gets.
            long bytes = Math.max(least, room) - Math.min(0, creditBytes);
            creditMessages += messages;
            creditBytes += bytes;
            session.tell(new Credit(
                    session.number(), consumer, partition, messages, (int) Math.min(bytes, Integer.MAX_VALUE)));
        }
    }

    /** Takes back what credit the server has left: nobody waits for messages. */
    void withdrawCredit() {
        if (creditMessages > 0 && state == State.ATTACHED) {
            session.tell(new Credit(session.number(), consumer, partition, -creditMessages, 0));
            creditMessages = 0;
        }
    }

    /**
     * Takes a delivery apart.
     *
     * @return its messages in order; none if it comes from a leader that was replaced
     */
    List<HeldMessage> onDeliver(Deliver frame) {
        if (frame.leaderEpoch() < leaderEpoch) {
            return List.of();
        }
        leaderEpoch = frame.leaderEpoch();
        DeliveryEntries entries = frame.entries();
        creditMessages = Math.max(0, creditMessages - entries.count());
        creditBytes -= frame.payload().remaining();
        long[] offsets = new long[entries.count()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = frame.baseOffset() + entries.offsetDelta(i);
        }
        Acquisition acquisition = new Acquisition(this, frame.acquisition(), frame.leaderEpoch(), offsets);
        acquisitions.put(acquisition.id(), acquisition);
        long next = offsets[offsets.length - 1] + 1;
        if (next > position.orElse(0)) {
            position = OptionalLong.of(next);
        }
        List<HeldMessage> messages = new ArrayList<>(offsets.length);
        try (RecordCursor records = records(frame)) {
            int index = 0;
            while (index < offsets.length && records.next()) {
                if (records.offset() == offsets[index]) {
                    messages.add(held(records, acquisition, index, entries.deliveryCount(index)));
                    index++;
                }
            }
            if (index < offsets.length) {
                throw new MissingRecordException(frame, offsets[index]);
            }
        }
        unreadMessages += messages.size();
        messages.forEach(message -> unreadBytes += message.sizeBytes());
        return messages;
    }

    private static RecordCursor records(Deliver frame) {
        if (frame.form() == DeliveryForm.BATCH) {
            return RecordBatch.at(frame.payload(), 0).records(DecompressionLimits.DEFAULT, BufferSupplier.allocating());
        }
        return RecordCursor.overRecords(
                frame.payload(),
                frame.baseOffset(),
                frame.baseTimestampMs(),
                frame.entries().count());
    }

    private HeldMessage held(RecordCursor record, Acquisition acquisition, int index, int deliveryCount) {
        Delivery delivery = new Delivery(spec.destination(), deliveryCount, spec.acknowledger());
        return new HeldMessage(
                spec.messages().fromRecord(record, origin, delivery), acquisition, index, record.recordSizeInBytes());
    }

    private OptionalLong resumePosition() {
        return acquisitions.values().stream().mapToLong(Acquisition::lowestHeldOffset).min().stream()
                .mapToObj(lowest -> OptionalLong.of(Math.min(lowest, position.orElse(lowest))))
                .findFirst()
                .orElse(position);
    }
}
