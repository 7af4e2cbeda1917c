package io.millrace.broker.internal.kafka.share;

import io.millrace.broker.internal.kafka.KafkaClient;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.ShareSessionLimitReachedException;
import org.apache.kafka.common.errors.ShareSessionNotFoundException;

/** The sessions of all members of share groups, each on its connection. From any thread. */
public final class ShareSessions {

    private record Open(ShareSession session, KafkaClient client) {}

    private final IntSupplier maxSessions;
    private final Supplier<UUID> ids;
    private final Map<ShareSession.Key, Open> sessions = new ConcurrentHashMap<>();

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
     * Begins a session, in place of one that the member may have had.
     *
     * @throws ShareSessionLimitReachedException if there are too many
     */
    ShareSession begin(ShareSession.Key key, KafkaClient client) {
        if (sessions.size() >= maxSessions.getAsInt() && !sessions.containsKey(key)) {
            throw new ShareSessionLimitReachedException(
                    "there are " + sessions.size() + " share sessions, which is group.share.max.share.sessions");
        }
        ShareSession session = new ShareSession(key, ids.get());
        Open open = new Open(session, client);
        Open before = sessions.put(key, open);
        if (before != null) {
            end(before);
        }
        client.whenClosed(() -> {
            sessions.remove(key, open);
            session.close();
        });
        return session;
    }

    private static void end(Open open) {
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
        sessions.computeIfPresent(session.key(), (key, open) -> open.session.equals(session) ? null : open);
        session.close();
    }
}
