package io.millrace.server.internal.command;

import io.millrace.server.internal.kafka.ConfigAdmin.Kind;
import io.millrace.server.internal.kafka.ConfigAdmin.Limited;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What of a running broker is meant by a word such as {@code topic:orders}.
 *
 * @param word broker, topic, group, user, client or address
 * @param name after the colon; empty without one
 */
record ConfigTarget(String word, String name) {
    /** How it is written, for the help. */
    static final String FORMS =
            "broker:ID, topic:NAME (a queue is a topic), group:NAME, user:NAME, client:ID or address:IP."
                    + " Without a name, broker means all brokers, and user, client and address those without limits of their own.";

    private static final List<String> WORDS = List.of("broker", "topic", "group", "user", "client", "address");

    static ConfigTarget parse(String text) {
        int colon = text.indexOf(':');
        String said = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
        String word = said.equals("queue") ? "topic" : said;
        String name = colon < 0 ? "" : text.substring(colon + 1);
        if (!WORDS.contains(word)) {
            throw new CommandFailure(ExitCode.USAGE, "'" + text + "' is not one of " + FORMS);
        }
        if (name.isEmpty() && (word.equals("topic") || word.equals("group"))) {
            throw new CommandFailure(ExitCode.USAGE, "which " + word + "? For example " + word + ":orders");
        }
        return new ConfigTarget(word, name);
    }

    /** Returns what it is, if it has settings; users, clients and addresses have limits instead. */
    Optional<Kind> kind() {
        return switch (word) {
            case "broker" -> Optional.of(Kind.BROKER);
            case "topic" -> Optional.of(Kind.TOPIC);
            case "group" -> Optional.of(Kind.GROUP);
            default -> Optional.empty();
        };
    }

    /** Returns whose limits are meant. */
    Limited limited(Optional<String> client) {
        if (client.isPresent() && !word.equals("user")) {
            throw new CommandFailure(ExitCode.USAGE, "--client-id goes with user:NAME only");
        }
        return switch (word) {
            case "user" -> new Limited(Optional.of(name), client, Optional.empty());
            case "client" -> new Limited(Optional.empty(), Optional.of(name), Optional.empty());
            default -> new Limited(Optional.empty(), Optional.empty(), Optional.of(name));
        };
    }

    /** Returns how it is told, with the client id that narrows it. */
    String text(Optional<String> client) {
        return this
                + client.map(id -> id.isEmpty()
                                ? " with any client id that has no limits of its own"
                                : " with client id " + id)
                        .orElse("");
    }

    @Override
    public String toString() {
        if (!name.isEmpty()) {
            return word + " " + name;
        }
        return word.equals("broker") ? "all brokers" : "every " + word + " without limits of its own";
    }
}
