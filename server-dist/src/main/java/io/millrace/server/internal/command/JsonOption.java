package io.millrace.server.internal.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** {@code --json}: the result as one JSON document instead of text for people. */
final class JsonOption {
    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    boolean chosen() {
        return json;
    }

    /** Prints the result in the chosen form. */
    void print(PrintWriter out, Object result, Consumer<PrintWriter> asText) {
        if (json) {
            out.println(write(result));
        } else {
            asText.accept(out);
        }
        out.flush();
    }

    private static String write(Object result) {
        try {
            return new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                    .writeValueAsString(result);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a result that cannot be written as JSON: " + result, impossible);
        }
    }
}
