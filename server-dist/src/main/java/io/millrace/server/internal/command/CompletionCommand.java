package io.millrace.server.internal.command;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace completion}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        header = "Prints a script with which a shell completes commands and options.",
        description = {
            "For this shell:",
            "  source <(millrace completion bash)",
            "",
            "For every one to come, in bash (needs the package bash-completion):",
            "  mkdir -p ~/.local/share/bash-completion/completions",
            "  millrace completion bash > ~/.local/share/bash-completion/completions/millrace",
            "",
            "and in zsh:",
            "  millrace completion zsh > ~/.millrace-completion",
            "  echo 'source ~/.millrace-completion' >> ~/.zshrc",
            ""
        })
final class CompletionCommand implements Callable<Integer> {
    enum Shell {
        BASH,
        ZSH;

        /** As it is typed, and as the shell completes it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell = Shell.BASH;

    // Set by picocli before call().
    @SuppressWarnings("NullAway.Init")
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        CommandLine root = spec.root().commandLine();
        switch (shell) {
            // The script is written for bash; zsh understands it with its emulation of bash's completion.
            case BASH -> {}
            case ZSH ->
                out.println("autoload -Uz compinit bashcompinit; whence compdef > /dev/null || compinit; bashcompinit");
        }
        out.print(AutoComplete.bash(root.getCommandName(), root));
        out.flush();
        return ExitCode.OK;
    }
}
