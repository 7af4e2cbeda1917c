package io.millrace.broker.internal.security;

import io.millrace.coordinator.access.ScramMechanism;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.wire.login.CredentialLookup;
import io.millrace.wire.login.LoginException;
import io.millrace.wire.login.ScramCredential;
import io.millrace.wire.login.ScramHash;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The users that the cluster's metadata has, as the login needs them. From any thread. */
public final class StoredUsers implements CredentialLookup {

    private static final Logger LOG = LoggerFactory.getLogger(StoredUsers.class);

    private final Supplier<MetadataImage> image;

    public StoredUsers(Supplier<MetadataImage> image) {
        this.image = image;
    }

    @Override
    public Optional<ScramCredential> find(String user, ScramHash hash) {
        ScramMechanism mechanism = switch (hash) {
            case SHA_256 -> ScramMechanism.SCRAM_SHA_256;
            case SHA_512 -> ScramMechanism.SCRAM_SHA_512;
        };
        return image.get()
                .scramUser(user)
                .flatMap(stored -> stored.credential(mechanism))
                .flatMap(stored -> usable(user, hash, stored));
    }

    private static Optional<ScramCredential> usable(
            String user, ScramHash hash, io.millrace.coordinator.access.ScramCredential stored) {
        try {
            return Optional.of(ScramCredential.of(
                    hash, stored.salt(), stored.iterations(), stored.storedKey(), stored.serverKey()));
        } catch (LoginException unusable) {
            LOG.warn("The {} credential of user {} cannot be used: {}", hash, user, unusable.getMessage());
            return Optional.empty();
        }
    }
}
