package io.millrace.broker.internal.security;

/** Text from the wire, as it may stand in a line of the log. */
public final class LogText {

    private static final int MAX_LENGTH = 120;

    private LogText() {}

    /** Returns the text without anything that breaks a line or a terminal, and not longer than a line may be. */
    public static String printable(String text) {
        String cut = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
        return cut.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "?");
    }
}
