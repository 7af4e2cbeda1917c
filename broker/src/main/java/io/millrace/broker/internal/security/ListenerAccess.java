package io.millrace.broker.internal.security;

import io.millrace.broker.config.ListenerConfig;
import io.millrace.broker.config.ListenerKeys;
import io.millrace.wire.login.CredentialLookup;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How one listener lets clients in.
 *
 * @param name of the listener, in upper case
 * @param tls what encrypts it, if anything does
 * @param logins how clients log in, if they must
 * @param anonymous who is let in without a login, if there are none
 */
public record ListenerAccess(
        String name, Optional<TlsEngines> tls, Optional<Logins> logins, AnonymousAccess anonymous) {

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
                listener.protocol().usesSasl() ? Optional.of(new Logins(listener, users, random)) : Optional.empty(),
                AnonymousAccess.of(listener.get(ListenerKeys.ANONYMOUS)));
    }

    /** Returns why a Kafka client may not send anything here, if it may not: by whom its certificate says that it is, if it showed one. */
    public Optional<String> refusal(Optional<String> certified) {
        boolean refused = logins.isEmpty() && certified.isEmpty() && anonymous == AnonymousAccess.NOBODY;
        return refused ? Optional.of(anonymous.refusal()) : Optional.empty();
    }
}
