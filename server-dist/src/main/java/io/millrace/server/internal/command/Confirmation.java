package io.millrace.server.internal.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Asks whoever typed a command whether it is meant. */
final class Confirmation {

    private Confirmation() {}

    /**
     * Returns if the answer is yes.
     *
     * @param question without the answers that there are
     * @param nothing what was not done, as "nothing was removed"
     * @param unasked what to give in order not to be asked, as "--yes to remove without a question"
     */
    static void ask(PrintWriter err, String question, String nothing, String unasked) {
        err.printf("%s [y/N] ", question);
        err.flush();
        // Standard input belongs to whoever started the process and is not closed here.
        BufferedReader answers = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String answer;
        try {
            answer = answers.readLine();
        } catch (IOException unreadable) {
            throw new CommandFailure(ExitCode.FAILURE, nothing + ": the answer cannot be read", unreadable);
        }
        if (answer == null
                || !(answer.strip().equalsIgnoreCase("y") || answer.strip().equalsIgnoreCase("yes"))) {
            throw new CommandFailure(ExitCode.FAILURE, nothing + "; answer y, or give " + unasked);
        }
    }
}
