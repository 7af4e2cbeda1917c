package io.millrace.server.internal.command;

import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.InvalidFieldException;
import io.millrace.wire.frame.TransactionSummary;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a transaction, as {@code millrace txn list} prints it and all others take it.
 *
 * @param text as the server has it
 * @param branch which branch of XA it is, if it is one
 */
record TransactionId(String text, Optional<BranchId> branch) {

    private static final Pattern BRANCH = Pattern.compile("xa:(-?\\d{1,10}):([0-9a-f]*):([0-9a-f]*)");

    /** What a Kafka client does not call itself by chance. */
    private static final Pattern MEANT_AS_BRANCH = Pattern.compile("xa:-?\\d+(:.*)?");

    /** Returns the id that somebody typed. */
    static TransactionId typed(String text) {
        if (text.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "an id of a transaction is not empty; `millrace txn list` shows those that there are");
        }
        if (text.length() > TransactionSummary.MAX_ID_CHARS) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "an id of a transaction has at most " + TransactionSummary.MAX_ID_CHARS + " characters, this one "
                            + text.length());
        }
        if (!MEANT_AS_BRANCH.matcher(text).matches()) {
            return new TransactionId(text, Optional.empty());
        }
        String written = text.toLowerCase(Locale.ROOT);
        try {
            return new TransactionId(
                    written,
                    Optional.of(branch(written)
                            .orElseThrow(() -> new CommandFailure(
                                    ExitCode.USAGE,
                                    "a branch is written xa:FORMAT:GLOBAL:BRANCH, a number and two times up to 64 bytes in hexadecimal, as"
                                            + " xa:131077:0a1b:02, and not " + printable(text)))));
        } catch (InvalidFieldException wrong) {
            throw new CommandFailure(
                    ExitCode.USAGE, "there is no branch " + printable(text) + ": " + wrong.getMessage(), wrong);
        }
    }

    /** Returns the id that a server has. */
    static TransactionId of(String text) {
        try {
            return new TransactionId(text, branch(text));
        } catch (InvalidFieldException alike) {
            return new TransactionId(text, Optional.empty());
        }
    }

    private static Optional<BranchId> branch(String text) {
        Matcher parts = BRANCH.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long format = Long.parseLong(parts.group(1));
        return format == (int) format
                ? Optional.of(new BranchId((int) format, parts.group(2), parts.group(3)))
                : Optional.empty();
    }

    /** Returns what can be read of who made a branch up. */
    Optional<String> node() {
        return branch.flatMap(BranchId::node);
    }

    /** Returns it as it may be shown: whoever chose a transactional id may have put anything into it. */
    String shown() {
        return printable(text);
    }

    static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(character -> {
            int kind = Character.getType(character);
            if (Character.isISOControl(character)
                    || kind == Character.FORMAT
                    || kind == Character.LINE_SEPARATOR
                    || kind == Character.PARAGRAPH_SEPARATOR) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", character));
            } else {
                shown.appendCodePoint(character);
            }
        });
        return shown.toString();
    }
}
