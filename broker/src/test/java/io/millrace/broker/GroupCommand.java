package io.millrace.broker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A line of a group's script.
 *
 * @param verb what to do
 * @param arguments with what, by key
 */
record GroupCommand(String verb, Map<String, String> arguments) {

    static GroupCommand parse(String line) {
        List<String> words = Arrays.asList(line.strip().split(" +", -1));
        Map<String, String> arguments = new HashMap<>();
        for (String word : words.subList(1, words.size())) {
            int equals = word.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("no key=value: " + word + " in " + line);
            }
            arguments.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return new GroupCommand(words.getFirst(), arguments);
    }

    String text(String key) {
        return text(key, "");
    }

    String text(String key, String otherwise) {
        return arguments.getOrDefault(key, otherwise);
    }

    int number(String key, int otherwise) {
        return Integer.parseInt(text(key, String.valueOf(otherwise)));
    }

    /** The parts of a value that are separated by commas. */
    List<String> list(String key) {
        String value = text(key);
        return value.isEmpty() ? List.of() : new ArrayList<>(Arrays.asList(value.split(",", -1)));
    }
}
