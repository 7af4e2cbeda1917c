package io.millrace.broker.internal.kafka.share;

import io.millrace.broker.internal.kafka.KafkaClient;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.ShareSessionNotFoundException;

/** The sessions of all members of share groups, each on its connection. From any thread. */
public final class ShareSessions {

    private record Open(ShareSession session, KafkaClient client) {}

    private final IntSupplier maxSessions;
    private final Supplier<UUID> ids;
    private final Map<ShareSession.Key, Open> sessions = new ConcurrentHashMap<>();
    private final Map<KafkaClient, Set<Open>> sessionsOf = new ConcurrentHashMap<>();

    /**
     * Creates a table without sessions.
     *
     * @param maxSessions more are refused
     * @param ids makes ids of sessions
     */
    public ShareSessions(IntSupplier maxSessions, Supplier<UUID> ids) {
        this.maxSessions = maxSessions;
        this.ids = ids;
    }

    /**
     * Begins a session, in place of one that the member may have had; empty if there are too many.
     */
    Optional<ShareSession> begin(ShareSession.Key key, KafkaClient client) {
        if (sessions.size() >= maxSessions.getAsInt() && !sessions.containsKey(key)) {
            return Optional.empty();
        }
        ShareSession session = new ShareSession(key, ids.get());
        Open open = new Open(session, client);
        Open before = sessions.put(key, open);
        if (before != null) {
            end(before);
        }
        sessionsOf
                .computeIfAbsent(client, connected -> {
                    connected.whenClosed(() -> onClosed(connected));
                    return ConcurrentHashMap.newKeySet();
                })
                .add(open);
        if (client.isClosed()) {
            onClosed(client);
        }
        return Optional.of(session);
    }

    private void onClosed(KafkaClient client) {
        Set<Open> ended = sessionsOf.remove(client);
        if (ended != null) {
            ended.forEach(open -> {
                sessions.remove(open.session.key(), open);
                open.session.close();
            });
        }
    }

    private void end(Open open) {
        Set<Open> others = sessionsOf.get(open.client);
        if (others != null) {
            others.remove(open);
        }
        open.client.execute(open.session::close);
    }

    /**
     * Returns the session of a member on this connection.
     *
     * @throws ShareSessionNotFoundException if there is none
     */
    ShareSession find(ShareSession.Key key, KafkaClient client) {
        return Optional.ofNullable(sessions.get(key))
                .filter(open -> open.client.equals(client))
                .map(Open::session)
                .orElseThrow(() -> new ShareSessionNotFoundException("member " + key.memberId() + " of share group "
                        + key.group() + " has no share session on this connection"));
    }

    /** Ends a session. */
    void remove(ShareSession session) {
        Open open = sessions.get(session.key());
        if (open != null && open.session.equals(session) && sessions.remove(session.key(), open)) {
            end(open);
        }
    }
}
