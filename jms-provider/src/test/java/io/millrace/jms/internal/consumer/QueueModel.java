package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.ConsumerOpened;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.HeldAcquisition;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PullDone;
import io.millrace.wire.frame.RefusedRanges;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.ReleasedRanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** A queue with one partition and one consumer, as the protocol describes it: what a broker does, in its simplest form. */
final class QueueModel {

    private static final int MOST_IN_A_DELIVERY = 4;

    private static final class Message {
        private boolean acknowledged;
        private long acquisition = -1;
        private int count;
    }

    private final RandomGenerator random;
    private final Consumer<Frame> output;
    private final List<Message> messages = new ArrayList<>();
    private boolean attached;
    private int credit;
    private int leaderEpoch = 1;
    private long lastAcquisition;

    /**
     * Creates an empty queue.
     *
     * @param random chooses the sizes of deliveries
     * @param output sends frames to the client
     */
    QueueModel(RandomGenerator random, Consumer<Frame> output) {
        this.random = random;
        this.output = output;
    }

    void send() {
        messages.add(new Message());
        dispatch();
    }

    int size() {
        return messages.size();
    }

    boolean allAcknowledged() {
        return messages.stream().allMatch(message -> message.acknowledged);
    }

    /** The socket is gone; the session, with all that it holds, is not. */
    void detach() {
        attached = false;
        credit = 0;
    }

    /** Killed and started again: nothing is acquired any more, deliveries are still counted. */
    void restart() {
        detach();
        leaderEpoch++;
        lastAcquisition = 0;
        messages.forEach(message -> message.acquisition = -1);
    }

    void onFrame(Frame frame) {
        if (frame instanceof OpenConsumer open) {
            onOpen(open);
        } else if (frame instanceof Credit more) {
            credit = Math.max(0, credit + more.messages());
        } else if (frame instanceof Acknowledge acknowledge) {
            onAcknowledge(acknowledge);
        } else if (frame instanceof Release release) {
            onRelease(release);
        } else if (frame instanceof Pull pull) {
            dispatch();
            output.accept(new PullDone(pull.corr(), pull.session(), pull.consumer(), pull.partition(), false));
        } else {
            throw new AssertionError("unexpected " + frame);
        }
        dispatch();
    }

    private void onOpen(OpenConsumer open) {
        Map<Long, Set<Long>> held = new HashMap<>();
        for (HeldAcquisition acquisition : open.held()) {
            held.put(acquisition.acquisition(), offsets(acquisition.ranges()));
        }
        for (int offset = 0; offset < messages.size(); offset++) {
            Message message = messages.get(offset);
            if (message.acquisition >= 0
                    && !held.getOrDefault(message.acquisition, Set.of()).contains((long) offset)) {
                message.acquisition = -1;
                message.count--; // the client has never seen it
            }
        }
        attached = true;
        credit = open.creditMessages();
        output.accept(new ConsumerOpened(open.corr(), 1, open.consumer(), 0, leaderEpoch, 0));
    }

    private void onAcknowledge(Acknowledge frame) {
        List<RefusedRanges> refused = new ArrayList<>();
        for (AcknowledgedRanges item : frame.items()) {
            for (long offset : offsets(item.ranges())) {
                Message message = messages.get((int) offset);
                if (item.leaderEpoch() == leaderEpoch && message.acquisition == item.acquisition()) {
                    message.acknowledged = true;
                    message.acquisition = -1;
                } else if (!message.acknowledged) {
                    refused.add(new RefusedRanges(item.consumer(), 0, List.of(new OffsetRange(offset, 1))));
                }
            }
        }
        output.accept(new Acknowledged(frame.corr(), frame.session(), refused));
    }

    private void onRelease(Release frame) {
        for (ReleasedRanges item : frame.items()) {
            for (long offset : offsets(item.ranges())) {
                Message message = messages.get((int) offset);
                if (frame.leaderEpoch() == leaderEpoch && message.acquisition == item.acquisition()) {
                    message.acquisition = -1;
                    message.count -= item.seen() ? 0 : 1;
                }
            }
        }
        output.accept(new Done(frame.corr(), frame.session()));
    }

    private void dispatch() {
        int offset = 0;
        while (attached && credit > 0 && offset < messages.size()) {
            int length = 0;
            int most = Math.min(credit, 1 + random.nextInt(MOST_IN_A_DELIVERY));
            while (length < most && offset + length < messages.size() && isAvailable(offset + length)) {
                length++;
            }
            if (length > 0) {
                deliver(offset, length);
            }
            offset += Math.max(1, length);
        }
    }

    private boolean isAvailable(int offset) {
        Message message = messages.get(offset);
        return !message.acknowledged && message.acquisition < 0;
    }

    private void deliver(int first, int length) {
        lastAcquisition++;
        int[] counts = new int[length];
        String[] texts = new String[length];
        for (int i = 0; i < length; i++) {
            Message message = messages.get(first + i);
            message.acquisition = lastAcquisition;
            message.count++;
            counts[i] = message.count;
            texts[i] = Integer.toString(first + i);
            assertThat(message.count).as("count of message %d", first + i).isPositive();
        }
        credit -= length;
        Deliver frame = Deliveries.records(1, 1, lastAcquisition, leaderEpoch, first, counts, texts);
        output.accept(frame);
    }

    private static Set<Long> offsets(List<OffsetRange> ranges) {
        Set<Long> offsets = new HashSet<>();
        for (OffsetRange range : ranges) {
            for (int i = 0; i < range.count(); i++) {
                offsets.add(range.firstOffset() + i);
            }
        }
        return offsets;
    }
}
