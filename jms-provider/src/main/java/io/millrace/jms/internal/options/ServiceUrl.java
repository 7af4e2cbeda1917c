package io.millrace.jms.internal.options;

import io.millrace.jms.internal.transport.ServerAddress;
import java.io.Serializable;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code millrace://host:port,host:port?option=value&option=value}. Ports may be left out (9092), IPv6 addresses stand in brackets, values are
 * URL-encoded. Mutable, confined to the factory that holds it.
 */
public final class ServiceUrl implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final String SCHEME = "millrace://";
    private static final int DEFAULT_PORT = 9092;

    private final ArrayList<ServerAddress> addresses = new ArrayList<>();
    private final EnumMap<Option, String> values = new EnumMap<>(Option.class);

    /**
     * Reads a URL.
     *
     * @throws IllegalArgumentException if it is none, or has an unknown option or a value out of range
     */
    public static ServiceUrl parse(String url) {
        if (!url.startsWith(SCHEME)) {
            throw new IllegalArgumentException(
                    "A URL must look like millrace://host:port,host:port?option=value, but begins with '" + shown(url)
                            + "'");
        }
        ServiceUrl parsed = new ServiceUrl();
        int question = url.indexOf('?');
        String hosts = question < 0 ? url.substring(SCHEME.length()) : url.substring(SCHEME.length(), question);
        if (hosts.endsWith("/")) {
            hosts = hosts.substring(0, hosts.length() - 1);
        }
        for (String host : hosts.split(",", -1)) {
            parsed.addresses.add(address(host));
        }
        if (question >= 0) {
            for (String pair : url.substring(question + 1).split("&", -1)) {
                parsed.read(pair);
            }
        }
        return parsed;
    }

    private void read(String pair) {
        if (pair.isEmpty()) {
            return;
        }
        int equals = pair.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("Option '" + pair + "' has no value: write " + pair + "=value");
        }
        set(Option.named(decoded(pair.substring(0, equals))), decoded(pair.substring(equals + 1)));
    }

    private static ServerAddress address(String text) {
        int bracket = text.lastIndexOf(']');
        int colon = text.indexOf(':', Math.max(0, bracket));
        String host = colon < 0 ? text : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            return new ServerAddress(host, colon < 0 ? DEFAULT_PORT : Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("'" + text + "' is no server address: write host:port", invalid);
        }
    }

    /** Returns where the brokers are, at least one. */
    public List<ServerAddress> addresses() {
        return List.copyOf(addresses);
    }

    /**
     * Sets an option.
     *
     * @throws IllegalArgumentException if the value is out of range
     */
    public void set(Option option, String value) {
        values.put(option, option.checked(value));
    }

    /** Returns an option's value, or its default. */
    public String get(Option option) {
        return values.getOrDefault(option, option.defaultValue());
    }

    /** Returns the value of an option that is a number. */
    public long number(Option option) {
        return Long.parseLong(get(option));
    }

    /** Returns whether an option that can be true or false is true. */
    public boolean flag(Option option) {
        return Boolean.parseBoolean(get(option));
    }

    /** Returns an option's value, if it was set to anything but the empty text. */
    public Optional<String> find(Option option) {
        return Optional.ofNullable(values.get(option)).filter(value -> !value.isEmpty());
    }

    /** Returns the URL with all options that were set, passwords too: for a reference that the factory is made of again. */
    public String toUrl() {
        return text(false);
    }

    /** For people: without passwords. */
    @Override
    public String toString() {
        return text(true);
    }

    private String text(boolean hidden) {
        StringBuilder url = new StringBuilder(SCHEME);
        for (int i = 0; i < addresses.size(); i++) {
            url.append(i == 0 ? "" : ",").append(addresses.get(i));
        }
        char separator = '?';
        for (Map.Entry<Option, String> entry : values.entrySet()) {
            boolean secret = hidden && entry.getKey().secret();
            url.append(separator)
                    .append(entry.getKey().optionName())
                    .append('=')
                    .append(secret ? "***" : URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8));
            separator = '&';
        }
        return url.toString();
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Not more than the scheme: what follows may hold a password. */
    private static String shown(String url) {
        int end = url.indexOf("//");
        return url.substring(0, end < 0 ? Math.min(url.length(), SCHEME.length()) : end + 2);
    }
}
