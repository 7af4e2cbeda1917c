package io.millrace.coordinator.metadata;

import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;

/** Users, quotas and ACLs. Immutable; changed copies share the rest. */
record AccessImage(PersistentMap<String, ScramUser> users, PersistentMap<QuotaEntity, Quotas> quotas, AclsImage acls) {

    static final AccessImage EMPTY = new AccessImage(PersistentMap.empty(), PersistentMap.empty(), AclsImage.EMPTY);

    AccessImage credentialSet(String name, ScramCredential credential) {
        Map<ScramMechanism, ScramCredential> credentials = credentials(name);
        credentials.put(credential.mechanism(), credential);
        return new AccessImage(users.with(name, new ScramUser(name, credentials)), quotas, acls);
    }

    AccessImage credentialRemoved(String name, ScramMechanism mechanism) {
        Map<ScramMechanism, ScramCredential> credentials = credentials(name);
        InconsistentMetadataException.check(
                credentials.remove(mechanism) != null,
                "user " + name + " has no credential for " + mechanism.mechanismName());
        return new AccessImage(
                credentials.isEmpty() ? users.without(name) : users.with(name, new ScramUser(name, credentials)),
                quotas,
                acls);
    }

    AccessImage quotaChanged(QuotaEntity entity, QuotaKey key, OptionalDouble value) {
        Map<QuotaKey, Double> limits = new EnumMap<>(QuotaKey.class);
        quotas.get(entity).ifPresent(before -> limits.putAll(before.limits()));
        value.ifPresentOrElse(limit -> limits.put(key, limit), () -> limits.remove(key));
        return new AccessImage(
                users,
                limits.isEmpty() ? quotas.without(entity) : quotas.with(entity, new Quotas(entity, limits)),
                acls);
    }

    AccessImage withAcls(AclsImage changed) {
        return new AccessImage(users, quotas, changed);
    }

    private Map<ScramMechanism, ScramCredential> credentials(String name) {
        Map<ScramMechanism, ScramCredential> credentials = new EnumMap<>(ScramMechanism.class);
        users.get(name).ifPresent(user -> credentials.putAll(user.credentials()));
        return credentials;
    }
}
