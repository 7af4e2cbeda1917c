package io.millrace.wire.name;

/**
 * The name of a queue or topic in its two forms: as applications write it, and as its log is called on disk and by Kafka clients.
 *
 * <p>A log's name has Kafka's alphabet (ASCII letters, digits, {@code . _ -}). A JMS name may hold any other character too, which
 * {@link LogNameMapping} maps reversibly, so both forms identify the destination.
 *
 * @param jmsName what applications write
 * @param logName the name of the log
 */
public record DestinationName(String jmsName, String logName) {

    /** Kafka's limit, which leaves room for {@code -<partition>} in a file name. */
    public static final int MAX_LOG_NAME_LENGTH = 249;

    /** Logs of the server itself, such as {@code __cluster_metadata}, begin with this; applications cannot name them. */
    public static final String INTERNAL_PREFIX = "__";

    private static final String CURSOR_SEPARATOR = "::";

    /** Checks that the two forms belong together. */
    public DestinationName {
        checkLogName(logName);
        if (jmsName.length() > logName.length()
                || !LogNameMapping.toLogName(jmsName).equals(logName)) {
            throw new InvalidDestinationNameException(
                    "The log of destination " + quote(jmsName) + " cannot be called " + quote(logName));
        }
    }

    /**
     * Takes the name that an application wrote.
     *
     * @param jmsName 1 to 249 characters after mapping
     * @return the name in both forms
     * @throws InvalidDestinationNameException if it is empty, too long, {@code .} or {@code ..}, has {@code ..} as a path segment, holds
     *     control characters, unpaired surrogates or {@code ::}, or begins with {@code __}
     */
    public static DestinationName of(String jmsName) {
        checkJmsName(jmsName);
        return new DestinationName(jmsName, LogNameMapping.toLogName(jmsName));
    }

    /**
     * Takes the name of an existing log.
     *
     * @param logName 1 to 249 characters of Kafka's alphabet; may be internal
     * @return the name in both forms
     * @throws InvalidDestinationNameException if it cannot be the name of a log
     */
    public static DestinationName fromLogName(String logName) {
        checkLogName(logName);
        return new DestinationName(LogNameMapping.toJmsName(logName), logName);
    }

    /** Returns whether the log belongs to the server itself. */
    public boolean internal() {
        return logName.startsWith(INTERNAL_PREFIX);
    }

    @Override
    public String toString() {
        return jmsName;
    }

    private static void checkJmsName(String name) {
        if (name.isEmpty()) {
            throw new InvalidDestinationNameException("A destination's name cannot be empty");
        }
        if (name.length() > MAX_LOG_NAME_LENGTH) {
            throw tooLong(name, name.length());
        }
        for (String segment : name.split("/", -1)) {
            if (segment.equals("..")) {
                throw new InvalidDestinationNameException(
                        "Destination name " + quote(name) + " must not have .. as a path segment");
            }
        }
        if (name.contains(CURSOR_SEPARATOR)) {
            throw new InvalidDestinationNameException("Destination name " + quote(name)
                    + " must not contain ::, which is reserved for naming a further cursor on a log");
        }
        if (name.startsWith(INTERNAL_PREFIX)) {
            throw new InvalidDestinationNameException(
                    "Destination name " + quote(name) + " must not begin with __, which marks the server's own logs");
        }
        for (int i = 0; i < name.length(); i++) {
            char unit = name.charAt(i);
            if (Character.isISOControl(unit)) {
                throw new InvalidDestinationNameException(
                        "Destination name " + quote(name) + " holds a control character at index " + i);
            }
            if (Character.isHighSurrogate(unit)
                    && i + 1 < name.length()
                    && Character.isLowSurrogate(name.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(unit)) {
                throw new InvalidDestinationNameException(
                        "Destination name " + quote(name) + " holds half a surrogate pair at index " + i);
            }
        }
    }

    private static void checkLogName(String name) {
        if (name.isEmpty()) {
            throw new InvalidDestinationNameException("A log's name cannot be empty");
        }
        if (name.length() > MAX_LOG_NAME_LENGTH) {
            throw tooLong(name, name.length());
        }
        if (name.equals(".") || name.equals("..")) {
            throw new InvalidDestinationNameException("A destination cannot be called " + quote(name));
        }
        for (int i = 0; i < name.length(); i++) {
            if (!LogNameMapping.inAlphabet(name.charAt(i))) {
                throw new InvalidDestinationNameException(
                        "Log name " + quote(name) + " holds a character outside A-Z a-z 0-9 . _ - at index " + i);
            }
        }
    }

    private static InvalidDestinationNameException tooLong(String name, int length) {
        return new InvalidDestinationNameException("Destination name " + quote(name) + " has " + length
                + " characters, more than " + MAX_LOG_NAME_LENGTH
                + " (each one outside A-Z a-z 0-9 . _ - counts as 7, since it is written _xHHHH_)");
    }

    /** Shows a name from anywhere in a log line: no control characters, not more than a line. */
    private static String quote(String name) {
        StringBuilder shown = new StringBuilder("'");
        for (int i = 0; i < Math.min(name.length(), 300); i++) {
            char unit = name.charAt(i);
            if (Character.isISOControl(unit) || Character.isSurrogate(unit)) {
                shown.append(String.format("\\u%04X", (int) unit));
            } else {
                shown.append(unit);
            }
        }
        return shown.append(name.length() > 300 ? "...'" : "'").toString();
    }
}
