package io.millrace.testkit.history;

import io.millrace.testkit.history.Operation.Acknowledged;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Operation.Received;
import io.millrace.testkit.history.Operation.Sent;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Notes of what clients did, in the order in which they ended. May be used by any number of threads. */
public final class History {
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Operation> operations = new ArrayList<>();

    public History(TimeSource time) {
        this.time = time;
    }

    public void sent(String destination, String id, String producer, long sequence, Outcome outcome) {
        add(new Sent(destination, id, producer, sequence, outcome, time.nanoTime()));
    }

    public void received(String subscription, String id, boolean redelivered, int deliveryCount) {
        add(new Received(subscription, id, redelivered, deliveryCount, time.nanoTime()));
    }

    public void acknowledged(String subscription, String id, Outcome outcome) {
        add(new Acknowledged(subscription, id, outcome, time.nanoTime()));
    }

    private void add(Operation operation) {
        lock.lock();
        try {
            operations.add(operation);
        } finally {
            lock.unlock();
        }
    }

    /** How many notes there are. */
    public int size() {
        lock.lock();
        try {
            return operations.size();
        } finally {
            lock.unlock();
        }
    }

    /** A copy of the notes so far. */
    public List<Operation> operations() {
        lock.lock();
        try {
            return List.copyOf(operations);
        } finally {
            lock.unlock();
        }
    }
}
