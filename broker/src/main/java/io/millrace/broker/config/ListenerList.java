package io.millrace.broker.config;

import io.millrace.log.config.ConfigValues;
import io.millrace.log.config.InvalidConfigException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code listeners} and what belongs to it. */
final class ListenerList {

    private static final String PREFIX = "listener.name.";

    private final ConfigValues values;
    private final Map<String, ConfigValues> own;

    private ListenerList(ConfigValues values, Map<String, ConfigValues> own) {
        this.values = values;
        this.own = own;
    }

    /** Takes what is set for single listeners out of settings; returns it by the listener's name in lower case, then by key. */
    static Map<String, Map<String, String>> takePrefixed(Map<String, String> texts) {
        Map<String, Map<String, String>> byListener = new HashMap<>();
        texts.entrySet().removeIf(entry -> {
            String key = entry.getKey();
            int dot = key.startsWith(PREFIX) ? key.indexOf('.', PREFIX.length()) : -1;
            if (dot < 0) {
                return false;
            }
            String listener = key.substring(PREFIX.length(), dot).toLowerCase(Locale.ROOT);
            byListener.computeIfAbsent(listener, name -> new HashMap<>()).put(key.substring(dot + 1), entry.getValue());
            return true;
        });
        return byListener;
    }

    /**
     * Reads the listeners.
     *
     * @throws InvalidConfigException if they contradict each other, or settings are for one that is not there
     */
    static List<ListenerConfig> read(ConfigValues values, Map<String, Map<String, String>> prefixed) {
        Map<String, ConfigValues> own = new HashMap<>();
        prefixed.forEach((name, texts) -> {
            try {
                own.put(name, ListenerKeys.PER_LISTENER.parse(texts));
            } catch (InvalidConfigException e) {
                throw new InvalidConfigException("settings of listener " + name + ": " + e.getMessage(), e);
            }
        });
        List<ListenerConfig> listeners = new ListenerList(values, own).read();
        Set<String> unknown = new HashSet<>(own.keySet());
        listeners.forEach(listener -> unknown.remove(listener.name().toLowerCase(Locale.ROOT)));
        values.get(SecurityKeys.CONTROLLER_LISTENERS).forEach(name -> unknown.remove(name.toLowerCase(Locale.ROOT)));
        if (!unknown.isEmpty()) {
            throw new InvalidConfigException(
                    "there are settings for listeners that are not in listeners: " + String.join(", ", unknown));
        }
        return listeners;
    }

    private List<ListenerConfig> read() {
        Optional<List<String>> texts = values.findSet(BrokerKeys.LISTENERS);
        if (texts.isEmpty()) {
            return List.of(listener(
                    "PLAINTEXT", new ListenerAddress(values.get(BrokerKeys.HOST_NAME), values.get(BrokerKeys.PORT))));
        }
        List<ListenerConfig> listeners = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<String> left = new HashSet<>();
        values.get(SecurityKeys.CONTROLLER_LISTENERS).forEach(name -> left.add(name.toUpperCase(Locale.ROOT)));
        for (String text : texts.get()) {
            ListenerAddress.Named named = ListenerAddress.parse(BrokerKeys.LISTENERS.name(), text);
            if (!names.add(named.name())) {
                throw new InvalidConfigException("listeners has two listeners named " + named.name()
                        + ": give each a name of its own, and its protocol in listener.security.protocol.map");
            }
            if (!left.contains(named.name())) {
                listeners.add(listener(named.name(), named.address()));
            }
        }
        if (listeners.isEmpty()) {
            throw new InvalidConfigException("listeners has no listener for clients");
        }
        return List.copyOf(listeners);
    }

    private ListenerConfig listener(String name, ListenerAddress address) {
        ListenerConfig listener = new ListenerConfig(
                name,
                protocol(name),
                address,
                own.getOrDefault(name.toLowerCase(Locale.ROOT), ConfigValues.EMPTY),
                values);
        if (listener.protocol().usesTls()
                && listener.find(ListenerKeys.KEYSTORE_LOCATION).isEmpty()
                && listener.find(ListenerKeys.KEYSTORE_CERTIFICATES).isEmpty()) {
            throw new InvalidConfigException("listener " + name + " is encrypted and needs a certificate: set "
                    + ListenerKeys.KEYSTORE_LOCATION + " or " + ListenerKeys.KEYSTORE_CERTIFICATES);
        }
        return listener;
    }

    private ListenerProtocol protocol(String name) {
        for (String entry : values.get(SecurityKeys.PROTOCOL_MAP)) {
            String[] parts = entry.split(":", -1);
            Optional<ListenerProtocol> protocol =
                    parts.length == 2 ? ListenerProtocol.named(parts[1].strip()) : Optional.empty();
            if (protocol.isEmpty()) {
                throw new InvalidConfigException(
                        SecurityKeys.PROTOCOL_MAP + " must have entries NAME:PROTOCOL with PLAINTEXT,"
                                + " SSL, SASL_PLAINTEXT or SASL_SSL, has \"" + entry + "\"");
            }
            if (parts[0].strip().equalsIgnoreCase(name)) {
                return protocol.get();
            }
        }
        return ListenerProtocol.named(name)
                .orElseThrow(() -> new InvalidConfigException("listener " + name + " is not named like a protocol, and "
                        + SecurityKeys.PROTOCOL_MAP + " says nothing about it"));
    }
}
