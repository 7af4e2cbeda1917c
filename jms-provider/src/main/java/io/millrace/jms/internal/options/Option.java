package io.millrace.jms.internal.options;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The options of a connection factory: in its URL, as properties of the bean, and in JNDI references. Times are in milliseconds. */
public enum Option {
    /** Who logs in, unless createConnection says so. */
    USER("user", "", Kind.TEXT, 0, 0),
    /** The password. */
    PASSWORD("password", "", Kind.TEXT, 0, 0),
    /** Client id of every connection that the factory makes; empty: none. */
    CLIENT_ID("clientID", "", Kind.TEXT, 0, 0),
    /** Most messages that a consumer has ahead of the application; it begins with none and grows while the application keeps up. */
    PREFETCH("prefetch", "1000", Kind.NUMBER, 1, 100_000),
    /** How often a consumer asks whether its destination has got more partitions. */
    PARTITION_REFRESH("partitionRefresh", "10000", Kind.NUMBER, 100, 3_600_000),
    /** How long a send waits for its answer before it throws. The message may still be stored later. */
    SEND_TIMEOUT("sendTimeout", "30000", Kind.NUMBER, 1, Integer.MAX_VALUE),
    /** How long other calls wait for the server. */
    REQUEST_TIMEOUT("requestTimeout", "30000", Kind.NUMBER, 1, Integer.MAX_VALUE),
    /** For one attempt to connect, login included. */
    CONNECT_TIMEOUT("connectTimeout", "10000", Kind.NUMBER, 1, Integer.MAX_VALUE),
    /** Before the first attempt to connect again; then doubled each time. */
    RECONNECT_DELAY("reconnectDelay", "100", Kind.NUMBER, 1, 3_600_000),
    /** Longest time between two attempts. */
    RECONNECT_MAX_DELAY("reconnectMaxDelay", "1000", Kind.NUMBER, 1, 3_600_000),
    /** How long to try before the connection fails and the ExceptionListener hears of it; 0: not at all. */
    RECONNECT_TIMEOUT("reconnectTimeout", "60000", Kind.NUMBER, 0, Integer.MAX_VALUE),
    /** Bytes of messages that may be on their way before senders wait. */
    SEND_BUFFER("sendBuffer", "33554432", Kind.NUMBER, 1, 1L << 40),
    /** Compression of what is sent: none, gzip, snappy, lz4 or zstd. */
    COMPRESSION("compression", "none", Kind.COMPRESSION, 0, 0),
    /** Packages, separated by commas, whose classes may be deserialized out of object messages. */
    TRUSTED_PACKAGES("trustedPackages", "", Kind.TEXT, 0, 0),
    /** Whether connections are encrypted; any other option of TLS implies it. */
    TLS("tls", "false", Kind.FLAG, 0, 0),
    /** PEM file of the certificates that the server's must be one of, or signed by; empty: those that the JVM trusts. */
    TLS_TRUST("tlsTrust", "", Kind.TEXT, 0, 0),
    /** PEM file of the certificate that the client shows, followed by those that signed it; empty: it shows none. */
    TLS_CERTIFICATE("tlsCertificate", "", Kind.TEXT, 0, 0),
    /** PEM file of the certificate's private key, PKCS#8; empty: it is in the file of the certificate. */
    TLS_KEY("tlsKey", "", Kind.TEXT, 0, 0),
    /** What the private key is encrypted with; empty: it is not. */
    TLS_KEY_PASSWORD("tlsKeyPassword", "", Kind.TEXT, 0, 0),
    /** Whether the server's certificate must be for the host of the URL. */
    TLS_VERIFY_HOST("tlsVerifyHost", "true", Kind.FLAG, 0, 0);

    private enum Kind {
        TEXT,
        FLAG,
        NUMBER,
        COMPRESSION
    }

    private static final List<String> COMPRESSIONS = List.of("none", "gzip", "snappy", "lz4", "zstd");

    private final String optionName;
    private final String defaultValue;
    private final Kind kind;
    private final long minimum;
    private final long maximum;

    Option(String optionName, String defaultValue, Kind kind, long minimum, long maximum) {
        this.optionName = optionName;
        this.defaultValue = defaultValue;
        this.kind = kind;
        this.minimum = minimum;
        this.maximum = maximum;
    }

    /** Returns the name in URLs. */
    public String optionName() {
        return optionName;
    }

    /** Returns the value if none is set. */
    public String defaultValue() {
        return defaultValue;
    }

    /** Returns whether the value is not for people to see. */
    boolean secret() {
        return this == PASSWORD || this == TLS_KEY_PASSWORD;
    }

    /**
     * Checks a value.
     *
     * @return the same
     * @throws IllegalArgumentException if the option cannot have it
     */
    String checked(String value) {
        switch (kind) {
            case TEXT -> {}
            case COMPRESSION -> {
                if (!COMPRESSIONS.contains(value)) {
                    throw new IllegalArgumentException(
                            "Option " + optionName + " must be one of " + COMPRESSIONS + ", is '" + value + "'");
                }
            }
            case FLAG -> {
                if (!value.equals("true") && !value.equals("false")) {
                    throw new IllegalArgumentException(
                            "Option " + optionName + " must be true or false, is '" + value + "'");
                }
            }
            case NUMBER -> checkNumber(value);
        }
        return value;
    }

    private void checkNumber(String value) {
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("Option " + optionName + " must be a number, is '" + value + "'", none);
        }
        if (number < minimum || number > maximum) {
            throw new IllegalArgumentException(
                    "Option " + optionName + " must be within " + minimum + " to " + maximum + ", is " + number);
        }
    }

    /**
     * Finds an option by its name in URLs.
     *
     * @throws IllegalArgumentException if there is none; the message names the most similar one
     */
    static Option named(String name) {
        return find(name).orElseThrow(() -> {
            Option similar = Arrays.stream(values())
                    .min((left, right) ->
                            Integer.compare(distance(name, left.optionName), distance(name, right.optionName)))
                    .orElseThrow();
            return new IllegalArgumentException(
                    "Unknown option '" + name + "': did you mean '" + similar.optionName + "'? There are "
                            + Arrays.stream(values()).map(Option::optionName).toList());
        });
    }

    private static Optional<Option> find(String name) {
        return Arrays.stream(values())
                .filter(option -> option.optionName.equals(name))
                .findFirst();
    }

    /** Levenshtein's distance, upper and lower case alike. */
    private static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                boolean same = Character.toLowerCase(left.charAt(i - 1)) == Character.toLowerCase(right.charAt(j - 1));
                int next = Math.min(Math.min(row[j], row[j - 1]) + 1, diagonal + (same ? 0 : 1));
                diagonal = row[j];
                row[j] = next;
            }
        }
        return row[right.length()];
    }
}
