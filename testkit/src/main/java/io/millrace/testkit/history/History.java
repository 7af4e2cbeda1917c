package io.millrace.testkit.history;

import io.millrace.testkit.history.Operation.Acknowledged;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Operation.Received;
import io.millrace.testkit.history.Operation.Sent;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Notes of what clients did. May be used by any number of threads. Names and ids that are equal are kept once: a note takes some 50
 * bytes, and a message some 100 besides.
 */
public final class History extends Recorder {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Operation> operations = new ArrayList<>();
    private final Map<String, String> words = new HashMap<>();

    public History(TimeSource time) {
        super(time);
    }

    @Override
    public void add(Operation operation) {
        lock.lock();
        try {
            operations.add(compact(operation));
        } finally {
            lock.unlock();
        }
    }

    private Operation compact(Operation operation) {
        return switch (operation) {
            case Sent(String destination, String id, String producer, long sequence, Outcome outcome, long endNs) ->
                new Sent(once(destination), once(id), once(producer), sequence, outcome, endNs);
            case Received(String subscription, String id, boolean redelivered, int count, long atNs) ->
                new Received(once(subscription), once(id), redelivered, count, atNs);
            case Acknowledged(String subscription, String id, Outcome outcome, long endNs) ->
                new Acknowledged(once(subscription), once(id), outcome, endNs);
        };
    }

    private String once(String word) {
        String known = words.putIfAbsent(word, word);
        return known == null ? word : known;
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
