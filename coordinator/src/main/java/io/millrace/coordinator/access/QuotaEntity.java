package io.millrace.coordinator.access;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whom a quota is for: a user, a client id, both together, or an address; each by name or the default for those who have none of their
 * own. At least one, and an address only alone.
 *
 * @param user which user, if it matters
 * @param clientId which client id, if it matters
 * @param ip which address, if it matters
 */
public record QuotaEntity(Optional<QuotaSubject> user, Optional<QuotaSubject> clientId, Optional<QuotaSubject> ip)
        implements Comparable<QuotaEntity> {

    /** The name of the type of entity in Kafka's requests. */
    public static final String USER = "user";

    /** The name of the type of entity in Kafka's requests. */
    public static final String CLIENT_ID = "client-id";

    /** The name of the type of entity in Kafka's requests. */
    public static final String IP = "ip";

    private static final Comparator<Optional<QuotaSubject>> NONE_FIRST = Comparator.comparing(
                    (Optional<QuotaSubject> subject) -> subject.isPresent())
            .thenComparing(subject -> subject.flatMap(QuotaSubject::name).isPresent())
            .thenComparing(subject -> subject.flatMap(QuotaSubject::name).orElse(""));

    private static final Comparator<QuotaEntity> ORDER = Comparator.comparing(QuotaEntity::user, NONE_FIRST)
            .thenComparing(QuotaEntity::clientId, NONE_FIRST)
            .thenComparing(QuotaEntity::ip, NONE_FIRST);

    public QuotaEntity {
        if (user.isEmpty() && clientId.isEmpty() && ip.isEmpty()) {
            throw new IllegalArgumentException("a quota for nobody: it needs a user, a client id or an ip");
        }
        if (ip.isPresent() && (user.isPresent() || clientId.isPresent())) {
            throw new IllegalArgumentException("a quota for an ip cannot be for a user or client id too");
        }
    }

    /** Returns the entity as Kafka writes it: who by type of entity, empty for the default. */
    public Map<String, Optional<String>> parts() {
        Map<String, Optional<String>> parts = new TreeMap<>();
        user.ifPresent(subject -> parts.put(USER, subject.name()));
        clientId.ifPresent(subject -> parts.put(CLIENT_ID, subject.name()));
        ip.ifPresent(subject -> parts.put(IP, subject.name()));
        return parts;
    }

    @Override
    public int compareTo(QuotaEntity other) {
        return ORDER.compare(this, other);
    }
}
