package io.millrace.server.internal.command;

import picocli.CommandLine.Help;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Model.CommandSpec;

/** Help whose examples stay in one line each however narrow the terminal is, so that they can be copied: lines that begin with two spaces. */
final class UnbrokenExamples extends Help {
    private static final String EXAMPLE = "  ";

    UnbrokenExamples(CommandSpec spec, ColorScheme colors) {
        super(spec, colors);
    }

    @Override
    public String description(Object... params) {
        StringBuilder text = new StringBuilder();
        int width = commandSpec().usageMessage().width();
        for (String line : commandSpec().usageMessage().description()) {
            if (line.startsWith(EXAMPLE)) {
                text.append(line.formatted(params)).append(System.lineSeparator());
            } else {
                join(colorScheme().ansi(), width, false, new String[] {line}, text, params);
            }
        }
        return text.toString();
    }
}
