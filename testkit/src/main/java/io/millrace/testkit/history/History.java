package io.millrace.testkit.history;

import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Notes of what clients did. May be used by any number of threads. */
public final class History extends Recorder {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Operation> operations = new ArrayList<>();

    public History(TimeSource time) {
        super(time);
    }

    @Override
    public void add(Operation operation) {
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

    /** A copy of the notes so far, by time: what other processes did arrives here later than it happened. */
    public List<Operation> operations() {
        List<Operation> sorted;
        lock.lock();
        try {
            sorted = new ArrayList<>(operations);
        } finally {
            lock.unlock();
        }
        sorted.sort(Comparator.comparingLong(Operation::timeNs));
        return sorted;
    }

    /** The notes from an index on, in the order in which they arrived. */
    public List<Operation> since(int index) {
        lock.lock();
        try {
            return List.copyOf(operations.subList(index, operations.size()));
        } finally {
            lock.unlock();
        }
    }
}
