package io.millrace.server.internal.perf;

import io.millrace.wire.time.TimeSource;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** One producer of a run, on a thread of its own; completions of asynchronous sends come on the provider's. */
final class Producing implements Runnable {
    private final LoadPlan plan;
    private final RunState state;
    private final Pace pace;
    private final Meters meters;
    private final TimeSource time;
    private final Session session;
    private final List<MessageProducer> producers;
    private final byte[] filling;
    private final Semaphore room;

    Producing(
            LoadPlan plan,
            RunState state,
            Pace pace,
            Meters meters,
            TimeSource time,
            Session session,
            List<String> names)
            throws JMSException {
        this.plan = plan;
        this.state = state;
        this.pace = pace;
        this.meters = meters;
        this.time = time;
        this.session = session;
        this.producers = open(names);
        this.filling = new byte[plan.sizeBytes() - Stamp.SIZE_BYTES];
        this.room = new Semaphore(Math.max(1, plan.sending().outstanding()));
    }

    private List<MessageProducer> open(List<String> names) throws JMSException {
        List<MessageProducer> opened = new ArrayList<>();
        for (String name : names) {
            MessageProducer producer = session.createProducer(Destinations.of(session, plan.kind(), name));
            producer.setDeliveryMode(
                    plan.sending().persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            opened.add(producer);
        }
        return List.copyOf(opened);
    }

    @Override
    public void run() {
        try {
            int turn = 0;
            while (true) {
                long dueNs = pace.nextNs();
                pace.await(dueNs);
                RunState.Turn taken = state.take();
                if (taken == RunState.Turn.END) {
                    break;
                }
                send(producers.get(turn++ % producers.size()), dueNs, taken == RunState.Turn.MEASURED);
            }
            // A send without an answer is not yet in the count.
            room.acquireUninterruptibly(Math.max(1, plan.sending().outstanding()));
        } catch (JMSException failed) {
            state.fail(failed);
        }
    }

    private void send(MessageProducer producer, long dueNs, boolean measured) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        long lateMs = (time.nanoTime() - dueNs) / 1_000_000;
        new Stamp(state.run(), dueNs, time.wallClockMs() - lateMs, measured).write(message);
        message.writeBytes(filling);
        if (plan.sending().outstanding() == 0) {
            producer.send(message);
            confirmed(dueNs, measured);
        } else {
            room.acquireUninterruptibly();
            producer.send(message, new Answer(dueNs, measured));
        }
    }

    private void confirmed(long dueNs, boolean measured) {
        state.confirm();
        meters.of(measured).record(time.nanoTime() - dueNs);
    }

    private final class Answer implements CompletionListener {
        private final long dueNs;
        private final boolean measured;

        Answer(long dueNs, boolean measured) {
            this.dueNs = dueNs;
            this.measured = measured;
        }

        @Override
        public void onCompletion(Message message) {
            confirmed(dueNs, measured);
            room.release();
        }

        @Override
        public void onException(Message message, Exception exception) {
            state.fail(exception);
            room.release();
        }
    }
}
