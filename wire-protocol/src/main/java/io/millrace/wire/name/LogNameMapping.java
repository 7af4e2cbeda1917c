package io.millrace.wire.name;

/**
 * The mapping between JMS names and log names: a bijection.
 *
 * <p>A UTF-16 unit outside Kafka's alphabet becomes {@code _xHHHH_} with four upper-case hexadecimal digits. So that a JMS name that
 * looks like this itself survives, its leading underscore is then written as {@code _x005F_}: exactly when the text after it would
 * otherwise be read as an escape. A log that a Kafka client named {@code _x0041_} needs no escape and keeps its name in JMS, because
 * {@code A} is in the alphabet and is never escaped.
 */
final class LogNameMapping {

    private static final int ESCAPE_LENGTH = "_xHHHH_".length();
    private static final String ESCAPED_UNDERSCORE = "_x005F_";

    private LogNameMapping() {}

    static boolean inAlphabet(char unit) {
        return (unit >= 'a' && unit <= 'z')
                || (unit >= 'A' && unit <= 'Z')
                || (unit >= '0' && unit <= '9')
                || unit == '.'
                || unit == '_'
                || unit == '-';
    }

    /** Maps a name; its length must have been checked, since the work grows with the square of it. */
    static String toLogName(String jmsName) {
        // From the right, because whether an underscore needs an escape depends on how the text after it is written.
        String written = "";
        for (int i = jmsName.length() - 1; i >= 0; i--) {
            char unit = jmsName.charAt(i);
            if (!inAlphabet(unit)) {
                written = String.format("_x%04X_", (int) unit) + written;
            } else if (unit == '_' && isEscape("_" + written, 0)) {
                written = ESCAPED_UNDERSCORE + written;
            } else {
                written = unit + written;
            }
        }
        return written;
    }

    static String toJmsName(String logName) {
        StringBuilder name = new StringBuilder();
        int i = 0;
        while (i < logName.length()) {
            if (isEscape(logName, i)) {
                name.append(unitAt(logName, i));
                i += ESCAPE_LENGTH;
            } else {
                name.append(logName.charAt(i));
                i++;
            }
        }
        return name.toString();
    }

    /** Whether an escape stands at the index: of a unit that needs one, or of an underscore that would otherwise begin an escape. */
    private static boolean isEscape(String logName, int index) {
        if (index + ESCAPE_LENGTH > logName.length()
                || logName.charAt(index) != '_'
                || logName.charAt(index + 1) != 'x'
                || logName.charAt(index + 6) != '_') {
            return false;
        }
        for (int i = index + 2; i < index + 6; i++) {
            char digit = logName.charAt(i);
            if (!((digit >= '0' && digit <= '9') || (digit >= 'A' && digit <= 'F'))) {
                return false;
            }
        }
        char unit = unitAt(logName, index);
        if (unit == '_') {
            return isEscape(logName, index + ESCAPE_LENGTH - 1);
        }
        // Control characters are refused in JMS names: where a foreign log name spells one, it is no escape.
        return !inAlphabet(unit) && !Character.isISOControl(unit);
    }

    private static char unitAt(String logName, int index) {
        return (char) Integer.parseInt(logName, index + 2, index + 6, 16);
    }
}
