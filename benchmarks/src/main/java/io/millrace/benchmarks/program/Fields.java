package io.millrace.benchmarks.program;

import java.util.HashMap;
import java.util.Map;

/** {@code name=value} pairs of one line. Values have no spaces. */
record Fields(Map<String, String> values) {

    static Fields parse(String line) {
        Map<String, String> values = new HashMap<>();
        for (String pair : line.trim().split(" ", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return new Fields(values);
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new BenchmarkException("no " + name + " in " + values);
        }
        return value;
    }

    long number(String name) {
        return Long.parseLong(text(name));
    }
}
