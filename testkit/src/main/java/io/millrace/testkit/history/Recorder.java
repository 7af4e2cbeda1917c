package io.millrace.testkit.history;

import io.millrace.testkit.history.Operation.Acknowledged;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Operation.Received;
import io.millrace.testkit.history.Operation.Sent;
import io.millrace.wire.time.TimeSource;

/** What a client tells of what it does, each at the moment when it has its result. May be used by any number of threads. */
public abstract class Recorder {
    private final TimeSource time;

    /** @param time gives the time of each note; on one machine, processes that take it from its clock can be compared */
    protected Recorder(TimeSource time) {
        this.time = time;
    }

    public final void sent(String destination, String id, String producer, long sequence, Outcome outcome) {
        add(new Sent(destination, id, producer, sequence, outcome, time.nanoTime()));
    }

    public final void received(String subscription, String id, boolean redelivered, int deliveryCount) {
        add(new Received(subscription, id, redelivered, deliveryCount, time.nanoTime()));
    }

    public final void acknowledged(String subscription, String id, Outcome outcome) {
        add(new Acknowledged(subscription, id, outcome, time.nanoTime()));
    }

    /** Keeps one note. */
    public abstract void add(Operation operation);
}
