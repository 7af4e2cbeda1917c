package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.ConfigValues;
import java.util.Optional;

/**
 * One listener: where it listens, and how it lets clients in.
 *
 * @param name in upper case, unique among the listeners of a broker
 * @param protocol how it is secured
 * @param address where it listens
 * @param own what is set for this listener alone
 * @param shared what is set for all
 */
public record ListenerConfig(
        String name, ListenerProtocol protocol, ListenerAddress address, ConfigValues own, ConfigValues shared) {

    /** Returns the value that was set for this listener, or for all, or the default, or empty. */
    public <T> Optional<T> find(ConfigKey<T> key) {
        Optional<T> set = own.findSet(key);
        return set.isPresent() ? set : shared.find(key);
    }

    /** Returns the value of a key that has a default. */
    public <T> T get(ConfigKey<T> key) {
        return own.findSet(key).orElseGet(() -> shared.get(key));
    }

    @Override
    public String toString() {
        return name + "://" + address;
    }
}
