package io.millrace.systemtests.verify;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How often what happened, in the order in which it was first named. */
final class Tally {

    private final Map<String, Integer> counts = new LinkedHashMap<>();

    /** Names something that has not happened yet. */
    void expect(String what) {
        counts.putIfAbsent(what, 0);
    }

    void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    Map<String, Integer> counts() {
        return new LinkedHashMap<>(counts);
    }

    @Override
    public String toString() {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
