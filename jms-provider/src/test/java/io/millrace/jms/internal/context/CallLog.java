package io.millrace.jms.internal.context;

import java.util.ArrayList;
import java.util.List;

/** Calls of several fakes in their order, as texts. For any thread. */
final class CallLog {
    private final List<String> calls = new ArrayList<>();

    synchronized void add(String call) {
        calls.add(call);
    }

    synchronized List<String> all() {
        return List.copyOf(calls);
    }

    synchronized void clear() {
        calls.clear();
    }

    synchronized List<String> startingWith(String prefix) {
        return calls.stream().filter(call -> call.startsWith(prefix)).toList();
    }
}
