package io.millrace.server.internal.command;

/** What a user may be called who is named on the command line. The broker takes more, since Kafka's tools do. */
final class UserName {
    /** As the broker has it. */
    private static final int MAX_CHARS = 1_024;

    private static final int SHOWN_CHARS = 60;

    private UserName() {}

    /**
     * Returns the name.
     *
     * @throws CommandFailure if nobody can have it, with the reason
     */
    static String checked(String name) {
        if (name.isEmpty()) {
            throw refused("the name of a user must not be empty");
        }
        if (name.length() > MAX_CHARS) {
            throw refused("the name of a user has at most " + MAX_CHARS + " characters, this one has " + name.length());
        }
        if (name.startsWith("User:")) {
            throw refused(
                    "give the name alone, without 'User:': that is how access control lists write " + shown(name));
        }
        if (name.equals("*") || name.equals("ANONYMOUS")) {
            throw refused("nobody can be called " + name + ": access control lists mean "
                    + (name.equals("*") ? "everybody" : "whoever does not log in") + " by it");
        }
        if (!name.equals(name.strip())) {
            throw refused("the name of a user must not begin or end with a space: '" + shown(name) + "'");
        }
        int bad = firstUnprintable(name);
        if (bad >= 0) {
            throw refused("the name of a user must not have control characters or halves of characters; number "
                    + (bad + 1) + " is one");
        }
        return name;
    }

    /** Returns the index of the first character that is none to read, or -1. */
    static int firstUnprintable(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (Character.isISOControl(c) || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
                return i;
            }
        }
        return -1;
    }

    private static String shown(String name) {
        return name.length() > SHOWN_CHARS ? name.substring(0, SHOWN_CHARS) + "..." : name;
    }

    private static CommandFailure refused(String why) {
        return new CommandFailure(ExitCode.USAGE, why);
    }
}
