package io.millrace.broker.internal.kafka.quota;

import io.millrace.coordinator.access.QuotaEntity;
import io.millrace.coordinator.access.QuotaKey;
import io.millrace.coordinator.access.QuotaSubject;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.Quotas;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the limit that counts for a client, in Kafka's order: what is said of user and client id goes before what is said of one of them. */
final class QuotaLimits {

    /**
     * A limit, and who shares it.
     *
     * @param key what is limited
     * @param user whose use is counted together, empty where users do not matter
     * @param clientId likewise
     * @param perSecond the limit
     */
    record Limit(QuotaKey key, Optional<String> user, Optional<String> clientId, double perSecond) {

        Counted counted() {
            return new Counted(key, user, clientId);
        }
    }

    /** Whose use of what is counted together. */
    record Counted(QuotaKey key, Optional<String> user, Optional<String> clientId) {}

    private QuotaLimits() {}

    static Optional<Limit> find(MetadataImage image, QuotaKey key, String user, String clientId) {
        if (image.quotaEntityCount() == 0) {
            return Optional.empty();
        }
        Optional<QuotaSubject> none = Optional.empty();
        Optional<QuotaSubject> anybody = Optional.of(QuotaSubject.DEFAULT);
        Optional<QuotaSubject> thisUser = Optional.of(QuotaSubject.of(user));
        Optional<QuotaSubject> thisClient = Optional.of(QuotaSubject.of(clientId));
        List<QuotaEntity> order = List.of(
                new QuotaEntity(thisUser, thisClient, none),
                new QuotaEntity(thisUser, anybody, none),
                new QuotaEntity(thisUser, none, none),
                new QuotaEntity(anybody, thisClient, none),
                new QuotaEntity(anybody, anybody, none),
                new QuotaEntity(anybody, none, none),
                new QuotaEntity(none, thisClient, none),
                new QuotaEntity(none, anybody, none));
        for (QuotaEntity entity : order) {
            Double limit = limit(image, entity, key);
            if (limit != null) {
                return Optional.of(new Limit(
                        key, entity.user().map(any -> user), entity.clientId().map(any -> clientId), limit));
            }
        }
        return Optional.empty();
    }

    /** Returns the limit of connections from an address. */
    static Optional<Double> ofAddress(MetadataImage image, String address) {
        if (image.quotaEntityCount() == 0) {
            return Optional.empty();
        }
        for (QuotaSubject subject : List.of(QuotaSubject.of(address), QuotaSubject.DEFAULT)) {
            Double limit = limit(
                    image,
                    new QuotaEntity(Optional.empty(), Optional.empty(), Optional.of(subject)),
                    QuotaKey.CONNECTION_CREATION_RATE);
            if (limit != null) {
                return Optional.of(limit);
            }
        }
        return Optional.empty();
    }

    private static @Nullable Double limit(MetadataImage image, QuotaEntity entity, QuotaKey key) {
        return image.quotas(entity)
                .map(Quotas::limits)
                .map(limits -> limits.get(key))
                .orElse(null);
    }
}
