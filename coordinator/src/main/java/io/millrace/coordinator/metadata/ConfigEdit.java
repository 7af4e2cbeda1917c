package io.millrace.coordinator.metadata;

import java.util.List;

/** What to do with one configuration value. */
public sealed interface ConfigEdit {

    /**
     * Gives it a value.
     *
     * @param value the new value
     */
    record Set(String value) implements ConfigEdit {}

    /** Takes its value away, so that the wider scope or the default applies. */
    record Remove() implements ConfigEdit {}

    /**
     * Adds elements to a list, those that it does not have.
     *
     * @param elements what to add
     * @param otherwise the list where it has no value in this scope
     */
    record Append(List<String> elements, List<String> otherwise) implements ConfigEdit {
        public Append {
            elements = List.copyOf(elements);
            otherwise = List.copyOf(otherwise);
        }
    }

    /**
     * Takes elements out of a list, those that it has.
     *
     * @param elements what to take out
     * @param otherwise the list where it has no value in this scope
     */
    record Subtract(List<String> elements, List<String> otherwise) implements ConfigEdit {
        public Subtract {
            elements = List.copyOf(elements);
            otherwise = List.copyOf(otherwise);
        }
    }
}
