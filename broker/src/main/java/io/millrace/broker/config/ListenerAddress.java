package io.millrace.broker.config;

import io.millrace.log.config.InvalidConfigException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address to listen on or to connect to.
 *
 * @param host name or address; {@code 0.0.0.0} for every address of the machine
 * @param port 0 to 65535; 0 for a free one
 */
public record ListenerAddress(String host, int port) {

    private static final Pattern FORM = Pattern.compile("(?:([A-Za-z_]+)://)?(\\[[^\\]]*\\]|[^:/]*):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    /** Checks the port. */
    public ListenerAddress {
        if (port < 0 || port > MAX_PORT) {
            throw new InvalidConfigException("port " + port + " is not between 0 and " + MAX_PORT);
        }
    }

    /**
     * Reads an address as Kafka writes it: {@code PLAINTEXT://host:port}.
     *
     * @param key the setting that it stands in, for the message
     * @throws InvalidConfigException if it is none, or of a protocol that this version does not speak
     */
    static ListenerAddress parse(String key, String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new InvalidConfigException(key + " must look like PLAINTEXT://host:port, is \"" + text + "\"");
        }
        String protocol = matcher.group(1);
        if (protocol != null && !protocol.equalsIgnoreCase("PLAINTEXT")) {
            throw new InvalidConfigException(key + " asks for " + protocol
                    + ", but this version listens without encryption only: use PLAINTEXT://");
        }
        String host = matcher.group(2).replaceAll("[\\[\\]]", "");
        return new ListenerAddress(host.isEmpty() ? "0.0.0.0" : host, Integer.parseInt(matcher.group(3)));
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
