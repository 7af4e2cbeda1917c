package io.millrace.server.internal.kafka;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether somebody listens at all: Kafka's client tries again and again, and says after a long time only that it was too long. */
final class Reachability {
    /** A connection that takes longer is not waited for: then Kafka's client shall try, with its own patience. */
    private static final int CONNECT_TIMEOUT_MS = 3_000;

    private Reachability() {}

    /**
     * Tries the servers one after the other until one takes a connection.
     *
     * @param servers {@code HOST:PORT}, several separated by commas; what is not of this form is left to Kafka's client to refuse
     * @throws KafkaCallException if every one of them refuses at once
     */
    static void check(String servers) {
        List<String> problems = new ArrayList<>();
        for (String server : servers.split(",", -1)) {
            Optional<InetSocketAddress> address = parse(server.strip());
            if (address.isEmpty()) {
                return;
            }
            try (Socket socket = new Socket()) {
                socket.connect(address.get(), CONNECT_TIMEOUT_MS);
                return;
            } catch (UnknownHostException unknown) {
                problems.add(server.strip() + ": no such host");
            } catch (IOException refused) {
                problems.add(server.strip() + ": " + refused.getMessage());
            }
        }
        throw new KafkaCallException("cannot connect to " + String.join(", ", problems));
    }

    private static Optional<InetSocketAddress> parse(String server) {
        int colon = server.lastIndexOf(':');
        try {
            String host = server.substring(0, Math.max(0, colon)).replaceFirst("^\\[(.*)]$", "$1");
            return host.isEmpty() || host.contains("/")
                    ? Optional.empty()
                    : Optional.of(new InetSocketAddress(host, Integer.parseInt(server.substring(colon + 1))));
        } catch (IllegalArgumentException wrong) {
            return Optional.empty();
        }
    }
}
