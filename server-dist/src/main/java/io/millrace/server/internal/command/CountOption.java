package io.millrace.server.internal.command;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --count}: after how many messages a command ends. */
final class CountOption {
    @Option(names = "--count", paramLabel = "N", description = "End after so many messages.")
    private @Nullable Long count;

    /**
     * Returns the number, unless it was left open.
     *
     * @throws CommandFailure with {@link ExitCode#USAGE} if it is less than 1
     */
    OptionalLong limit() {
        if (count == null) {
            return OptionalLong.empty();
        }
        if (count < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--count must be at least 1, is " + count);
        }
        return OptionalLong.of(count);
    }

    /**
     * Checks that as many messages came as were asked for.
     *
     * @param end what ended the command otherwise
     * @throws CommandFailure if there were fewer
     */
    void requireAll(long received, String end) {
        if (count != null && received < count) {
            throw new CommandFailure(
                    ExitCode.FAILURE, "only " + received + " of " + count + " messages came before " + end);
        }
    }
}
