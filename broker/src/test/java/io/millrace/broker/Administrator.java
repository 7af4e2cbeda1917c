package io.millrace.broker;

import io.millrace.broker.internal.security.Access;
import io.millrace.broker.internal.security.Authorizer;
import io.millrace.broker.internal.security.DenialLog;
import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclPatternType;
import io.millrace.coordinator.access.AclPermission;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import io.millrace.coordinator.metadata.AccessCommand;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.wire.login.ScramHash;
import io.millrace.wire.time.SystemTimeSource;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Sets users, rights and quotas of a broker without going through a client. */
public final class Administrator {

    private static final int ITERATIONS = 4_096;

    private final EmbeddedBroker broker;

    public Administrator(EmbeddedBroker broker) {
        this.broker = broker;
    }

    /** Gives a user a password, for both SCRAM mechanisms. */
    public Administrator user(String name, String password) {
        submit(new AccessCommand.AlterScramUser(
                UUID.randomUUID(),
                name,
                Map.of(
                        ScramMechanism.SCRAM_SHA_256,
                        Optional.of(credential(ScramMechanism.SCRAM_SHA_256, ScramHash.SHA_256, password)),
                        ScramMechanism.SCRAM_SHA_512,
                        Optional.of(credential(ScramMechanism.SCRAM_SHA_512, ScramHash.SHA_512, password)))));
        return this;
    }

    private static ScramCredential credential(ScramMechanism mechanism, ScramHash hash, String password) {
        byte[] salt = "some salt of ours".getBytes(StandardCharsets.UTF_8);
        var derived = io.millrace.wire.login.ScramCredential.derive(hash, password, salt, ITERATIONS);
        return new ScramCredential(mechanism, salt, derived.storedKey(), derived.serverKey(), ITERATIONS);
    }

    /** Allows something to everybody of a name. */
    public Administrator allow(
            String principal, AclOperation operation, AclResourceType type, AclPatternType pattern, String name) {
        return acl(principal, operation, type, pattern, name, AclPermission.ALLOW);
    }

    /** Allows something with a resource of exactly this name. */
    public Administrator allow(String principal, AclOperation operation, AclResourceType type, String name) {
        return allow(principal, operation, type, AclPatternType.LITERAL, name);
    }

    /** Forbids something with resources whose names begin so. */
    public Administrator denyPrefix(String principal, AclOperation operation, AclResourceType type, String prefix) {
        return acl(principal, operation, type, AclPatternType.PREFIXED, prefix, AclPermission.DENY);
    }

    /** Forbids something with a resource of exactly this name. */
    public Administrator deny(String principal, AclOperation operation, AclResourceType type, String name) {
        return acl(principal, operation, type, AclPatternType.LITERAL, name, AclPermission.DENY);
    }

    private Administrator acl(
            String principal,
            AclOperation operation,
            AclResourceType type,
            AclPatternType pattern,
            String name,
            AclPermission permission) {
        submit(new AccessCommand.CreateAcls(
                UUID.randomUUID(),
                List.of(new AclEntry(type, name, pattern, principal, AclEntry.ANY_HOST, operation, permission))));
        return this;
    }

    /** Limits somebody. */
    public Administrator quota(QuotaEntity entity, QuotaKey key, double limit) {
        submit(new AccessCommand.AlterQuotas(UUID.randomUUID(), entity, Map.of(key, OptionalDouble.of(limit))));
        return this;
    }

    /** Returns what somebody may do, by the lists of the broker. */
    public Access access(String principal, boolean allowedWithoutAcl, String... superUsers) {
        return new Access(
                new Authorizer(
                        true,
                        Set.of(superUsers),
                        allowedWithoutAcl,
                        broker.broker().metadata()::image,
                        new DenialLog(SystemTimeSource.instance())),
                principal,
                InetAddress.getLoopbackAddress());
    }

    private void submit(MetadataCommand<?> command) {
        var _ = broker.broker()
                .metadata()
                .controller()
                .submit(command)
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }
}
