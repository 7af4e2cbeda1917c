package io.millrace.broker.internal.security;

import io.millrace.broker.config.ListenerConfig;
import io.millrace.broker.config.ListenerKeys;
import io.millrace.wire.login.CredentialLookup;
import io.millrace.wire.login.LoginMechanism;
import io.millrace.wire.login.PasswordCheck;
import io.millrace.wire.login.ScramHash;
import io.millrace.wire.login.ServerLogin;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** How clients of one listener log in. May be used from any thread. */
public final class Logins {

    private static final int SECRET_BYTES = 32;

    private final List<String> mechanisms;
    private final long maxReauthMs;
    private final CredentialLookup scramUsers;
    private final PasswordCheck passwords;
    private final RandomGenerator random;
    private final byte[] secret = new byte[SECRET_BYTES];

    /**
     * Reads how a listener lets clients in.
     *
     * @param users that the cluster keeps
     * @param random source of nonces; used by many threads
     * @throws io.millrace.log.config.InvalidConfigException if its users are not in Kafka's form
     */
    public Logins(ListenerConfig listener, CredentialLookup users, RandomGenerator random) {
        this.mechanisms = List.copyOf(listener.get(ListenerKeys.SASL_MECHANISMS));
        this.maxReauthMs = listener.get(ListenerKeys.MAX_REAUTH_MS);
        this.passwords = PlainUsers.of(listener, users);
        this.scramUsers = mechanisms.contains(LoginMechanism.PLAIN.wireName())
                ? ConfiguredUsers.of(users, PlainUsers.configured(listener), offeredHashes(), random)
                : users;
        this.random = random;
        random.nextBytes(secret);
    }

    private List<ScramHash> offeredHashes() {
        return mechanisms.stream()
                .flatMap(name -> LoginMechanism.fromWireName(name).stream())
                .flatMap(mechanism -> ScramHash.of(mechanism).stream())
                .toList();
    }

    /** Returns the names of the mechanisms that are offered. */
    public List<String> mechanisms() {
        return mechanisms;
    }

    /** Returns for how long a login holds, in ms; 0 for as long as the connection. */
    public long maxReauthMs() {
        return maxReauthMs;
    }

    /** Begins a login, if its mechanism is offered. */
    public Optional<ServerLogin> begin(String mechanism) {
        if (!mechanisms.contains(mechanism)) {
            return Optional.empty();
        }
        return LoginMechanism.fromWireName(mechanism).map(this::begin);
    }

    private ServerLogin begin(LoginMechanism mechanism) {
        return switch (mechanism) {
            case NONE -> ServerLogin.none();
            case PLAIN -> ServerLogin.plainBy(passwords);
            case SCRAM_SHA_256 -> ServerLogin.scram(ScramHash.SHA_256, scramUsers, random, secret);
            case SCRAM_SHA_512 -> ServerLogin.scram(ScramHash.SHA_512, scramUsers, random, secret);
        };
    }

    /** Returns whether a step of a login takes milliseconds of a processor, and belongs on the I/O pool. */
    public static boolean isSlow(ServerLogin login) {
        return login.mechanism() == LoginMechanism.PLAIN;
    }
}
