package io.millrace.server.internal.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code --json}: the result as one JSON document instead of text for people; and where both are printed. A mixin of a command. */
final class JsonOption {
    // Set by picocli before call().
    @SuppressWarnings("NullAway.Init")
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    boolean chosen() {
        return json;
    }

    /** Returns where results go. */
    PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Returns where everything else goes. */
    PrintWriter err() {
        return command.commandLine().getErr();
    }

    /** Prints the result in the chosen form. */
    void print(Object result, Consumer<PrintWriter> asText) {
        PrintWriter out = out();
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
