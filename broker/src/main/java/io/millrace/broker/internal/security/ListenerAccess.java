package io.millrace.broker.internal.security;

import io.millrace.broker.config.ListenerConfig;
import io.millrace.wire.login.CredentialLookup;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How one listener lets clients in.
 *
 * @param name of the listener, in upper case
 * @param tls what encrypts it, if anything does
 * @param logins how clients log in, if they must
 */
public record ListenerAccess(String name, Optional<TlsEngines> tls, Optional<Logins> logins) {

    /**
     * Reads keys, certificates and users of a listener.
     *
     * @param users that the cluster keeps
     * @param random source of nonces; used by many threads
     * @throws io.millrace.log.config.InvalidConfigException if they cannot be used
     */
    public static ListenerAccess of(ListenerConfig listener, CredentialLookup users, RandomGenerator random) {
        return new ListenerAccess(
                listener.name(),
                listener.protocol().usesTls() ? Optional.of(new TlsEngines(listener)) : Optional.empty(),
                listener.protocol().usesSasl() ? Optional.of(new Logins(listener, users, random)) : Optional.empty());
    }
}
