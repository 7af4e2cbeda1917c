package io.millrace.server.internal.perf;

import io.millrace.wire.time.TimeSource;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One consumer of a run: a session with a consumer on each of its destinations. Its thread calls receive; with listeners it is the
 * session's thread that does the work, and {@link #run} does nothing.
 */
final class Consuming implements Runnable {
    /** How soon a consumer to which nothing comes acknowledges what is left, and notices the end of the run. */
    private static final long PAUSE_MS = 100;

    private final LoadPlan plan;
    private final RunState state;
    private final Meters meters;
    private final TimeSource time;
    private final List<MessageConsumer> consumers;
    private @Nullable Message unacknowledged;
    private int unacknowledgedCount;

    Consuming(LoadPlan plan, RunState state, Meters meters, TimeSource time, Session session, List<String> names)
            throws JMSException {
        this.plan = plan;
        this.state = state;
        this.meters = meters;
        this.time = time;
        List<MessageConsumer> opened = new ArrayList<>();
        for (String name : names) {
            MessageConsumer consumer = session.createConsumer(Destinations.of(session, plan.kind(), name));
            if (plan.receiving().listener()) {
                consumer.setMessageListener(this::onMessage);
            }
            opened.add(consumer);
        }
        this.consumers = List.copyOf(opened);
    }

    @Override
    public void run() {
        if (plan.receiving().listener()) {
            return;
        }
        try {
            // Where this run sends, the count is the producers': a consumer takes all that comes.
            while (plan.sends() ? !state.isStopped() : state.take() != RunState.Turn.END) {
                Message message = receive();
                if (message == null) {
                    break;
                }
                take(message);
            }
            acknowledge();
        } catch (JMSException failed) {
            state.fail(failed);
        }
    }

    private @Nullable Message receive() throws JMSException {
        while (!state.isStopped()) {
            Message message = consumers.getFirst().receive(PAUSE_MS);
            if (message != null) {
                return message;
            }
            acknowledge();
        }
        return null;
    }

    private void onMessage(Message message) {
        try {
            take(message);
        } catch (JMSException failed) {
            state.fail(failed);
        }
    }

    private void take(Message message) throws JMSException {
        Optional<Stamp> stamp = Stamp.read(message);
        long nowNs = time.nanoTime();
        boolean ours = stamp.isPresent() && stamp.get().run() == state.run();
        if (ours) {
            meters.of(stamp.get().measured()).record(nowNs - stamp.get().dueNs());
        } else if (stamp.isPresent()) {
            meters.of(state.isMeasuring())
                    .record((time.wallClockMs() - stamp.get().dueMs()) * 1_000_000);
        } else {
            meters.of(state.isMeasuring()).record();
        }
        if (plan.receiving().acknowledgeMode() == Session.CLIENT_ACKNOWLEDGE) {
            unacknowledged = message;
            if (++unacknowledgedCount >= plan.receiving().acknowledgeEvery()) {
                acknowledge();
            }
        }
        state.received(ours, nowNs);
    }

    private void acknowledge() throws JMSException {
        if (unacknowledged != null) {
            unacknowledged.acknowledge();
            unacknowledged = null;
            unacknowledgedCount = 0;
        }
    }
}
