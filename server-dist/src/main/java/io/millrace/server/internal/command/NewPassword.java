package io.millrace.server.internal.command;

import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where the new password of a user comes from: a file, the terminal, or standard input. There is no option that has it as its value, since every
 * account of the machine sees the arguments of a process.
 */
final class NewPassword {
    private static final int MAX_CHARS = 1_024;

    /** A character has at most so many bytes. */
    private static final int MAX_BYTES = 4 * MAX_CHARS;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description =
                    "Its first line is the password; - is standard input. Without, it is asked for twice at the terminal, and read"
                            + " from standard input where there is none.")
    private @Nullable Path file;

    /**
     * Returns the password. Whoever gets it overwrites it.
     *
     * @throws CommandFailure if there is none, or one that cannot be used; the message does not show it
     */
    @SuppressWarnings("SystemConsoleNull") // of Java 25 it is null again where standard input is no terminal
    char[] read(String user) throws IOException {
        if (file != null && !file.toString().equals("-")) {
            try (InputStream in = Files.newInputStream(file)) {
                return firstLine(in);
            }
        }
        Console console = System.console();
        if (file == null && console != null && console.isTerminal()) {
            return typed(console, user);
        }
        return firstLine(System.in);
    }

    private static char[] typed(Console console, String user) {
        char[] first = console.readPassword("New password of %s: ", user);
        char[] second = first == null ? null : console.readPassword("Again: ");
        if (first == null || second == null) {
            throw refused("there is no password: nothing was typed");
        }
        boolean same = Arrays.equals(first, second);
        Arrays.fill(second, ' ');
        if (!same) {
            Arrays.fill(first, ' ');
            throw refused("the two passwords are different; nothing was changed");
        }
        return checked(first);
    }

    private static char[] firstLine(InputStream in) throws IOException {
        byte[] line = new byte[MAX_BYTES + 1];
        int length = 0;
        for (int next = in.read(); next >= 0 && next != '\n' && length < line.length; next = in.read()) {
            line[length++] = (byte) next;
        }
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        try {
            CharBuffer chars = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, length));
            char[] password = new char[chars.remaining()];
            chars.get(password);
            Arrays.fill(chars.array(), ' ');
            return checked(password);
        } catch (CharacterCodingException wrong) {
            throw new CommandFailure(ExitCode.USAGE, "the password is no text in UTF-8", wrong);
        } finally {
            Arrays.fill(line, (byte) 0);
        }
    }

    private static char[] checked(char[] password) {
        if (password.length == 0) {
            throw refused("a password must not be empty");
        }
        if (password.length > MAX_CHARS) {
            throw refused("a password has at most " + MAX_CHARS + " characters");
        }
        int bad = UserName.firstUnprintable(CharBuffer.wrap(password));
        if (bad >= 0) {
            throw refused("a password must not have control characters; number " + (bad + 1) + " is one");
        }
        return password;
    }

    private static CommandFailure refused(String why) {
        return new CommandFailure(ExitCode.USAGE, why);
    }
}
