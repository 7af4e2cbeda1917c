package io.millrace.coordinator.metadata;

import java.util.List;
import java.util.function.Function;

/**
 * What the controller makes of a command.
 *
 * @param records the changes, which take effect together; none for a refusal
 * @param answer the response, given the state after these changes
 * @param <R> kind of response
 */
record Decision<R>(List<MetadataRecord> records, Function<MetadataImage, R> answer) {

    Decision {
        records = List.copyOf(records);
    }

    /** Nothing changes. */
    static <R> Decision<R> unchanged(R answer) {
        return new Decision<>(List.of(), state -> answer);
    }

    static <R> Decision<R> change(List<MetadataRecord> records, R answer) {
        return new Decision<>(records, state -> answer);
    }
}
