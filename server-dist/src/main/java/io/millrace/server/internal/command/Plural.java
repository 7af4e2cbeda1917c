package io.millrace.server.internal.command;

/** Numbers with what they count, as people write them. */
final class Plural {
    private Plural() {}

    /** Returns "1 message", "2 messages". */
    static String of(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
