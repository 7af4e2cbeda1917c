package io.millrace.broker.config;

import io.millrace.log.config.InvalidConfigException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address to listen on or to connect to.
 *
 * @param host name or address; {@code 0.0.0.0} for every address of the machine
 * @param port 0 to 65535; 0 for a free one
 */
public record ListenerAddress(String host, int port) {

    private static final Pattern FORM = Pattern.compile("(?:([A-Za-z0-9_-]+)://)?(\\[[^\\]]*\\]|[^:/]*):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    /** Checks the port. */
    public ListenerAddress {
        if (port < 0 || port > MAX_PORT) {
            throw new InvalidConfigException("port " + port + " is not between 0 and " + MAX_PORT);
        }
    }

    /**
     * An address with the name of its listener.
     *
     * @param name in upper case
     */
    record Named(String name, ListenerAddress address) {}

    /**
     * Reads an address as Kafka writes it: {@code NAME://host:port}, where no name stands for PLAINTEXT.
     *
     * @param key the setting that it stands in, for the message
     * @throws InvalidConfigException if it is none
     */
    static Named parse(String key, String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new InvalidConfigException(key + " must look like PLAINTEXT://host:port, is \"" + text + "\"");
        }
        String name = matcher.group(1) == null ? "PLAINTEXT" : matcher.group(1).toUpperCase(Locale.ROOT);
        String host = matcher.group(2).replaceAll("[\\[\\]]", "");
        return new Named(
                name, new ListenerAddress(host.isEmpty() ? "0.0.0.0" : host, Integer.parseInt(matcher.group(3))));
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
