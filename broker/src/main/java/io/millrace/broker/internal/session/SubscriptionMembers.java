package io.millrace.broker.internal.session;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Which consumers take part in which subscriptions at present, whatever their kind. On the control shard.
 *
 * <p>A consumer joins before it opens anything, and leaves by itself or when its session ends. Exclusive members also hold a claim, which
 * moves with their session to another connection.
 */
public final class SubscriptionMembers implements SessionListener {

    /** Is told when the last member of a subscription has left. */
    @FunctionalInterface
    public interface EmptyListener {
        /** Nobody consumes from the subscription any more. */
        void onEmpty(UUID subscription);
    }

    private record Member(ClientSession session, int consumer, boolean exclusive) {}

    private final ConnectionClaims claims;
    private final Map<UUID, Set<Member>> members = new HashMap<>();
    private final Map<ClientSession, Set<UUID>> ofSession = new HashMap<>();
    private final List<EmptyListener> emptyListeners = new ArrayList<>();

    /** Creates an empty registry. */
    public SubscriptionMembers(ConnectionClaims claims) {
        this.claims = claims;
    }

    /** Adds somebody who is told when a subscription has no consumer any more. While the broker is assembled only. */
    public void addEmptyListener(EmptyListener listener) {
        emptyListeners.add(listener);
    }

    /** Returns whether anybody consumes from the subscription. */
    public boolean isUsed(UUID subscription) {
        return members.containsKey(subscription);
    }

    /** Returns whether this consumer has joined. */
    public boolean isMember(UUID subscription, ClientSession session, int consumer) {
        Set<Member> present = members.getOrDefault(subscription, Set.of());
        return present.contains(new Member(session, consumer, false))
                || present.contains(new Member(session, consumer, true));
    }

    /**
     * A consumer joins; joining again is fine.
     *
     * @throws RequestFailedException if its session has ended meanwhile
     */
    void join(UUID subscription, ClientSession session, int consumer, boolean exclusive) {
        if (session.isEnded()) {
            throw new RequestFailedException(ErrorCode.UNKNOWN_SESSION, session + " has ended meanwhile");
        }
        members.computeIfAbsent(subscription, id -> new LinkedHashSet<>())
                .add(new Member(session, consumer, exclusive));
        ofSession.computeIfAbsent(session, opened -> new HashSet<>()).add(subscription);
    }

    /** A consumer leaves; without effect if it has not joined. */
    public void leave(UUID subscription, ClientSession session, int consumer) {
        for (Member member : membersOf(subscription, session)) {
            if (member.consumer == consumer) {
                remove(subscription, member);
                if (member.exclusive) {
                    session.link().ifPresent(link -> claims.releaseSubscription(link.connection(), subscription));
                }
            }
        }
        Set<UUID> joined = ofSession.get(session);
        if (joined != null && membersOf(subscription, session).isEmpty()) {
            joined.remove(subscription);
        }
    }

    private void remove(UUID subscription, Member member) {
        Set<Member> present = members.get(subscription);
        if (present != null && present.remove(member) && present.isEmpty()) {
            members.remove(subscription);
            emptyListeners.forEach(listener -> listener.onEmpty(subscription));
        }
    }

    /** Returns what a consumer is called in claims: the same over reconnects of its session. */
    static UUID identityOf(ClientSession session, int consumer) {
        UUID uuid = session.uuid();
        ByteBuffer name = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .putInt(consumer);
        return UUID.nameUUIDFromBytes(name.array());
    }

    @Override
    public void onResumed(ClientSession session, ClientConnection connection) {
        for (UUID subscription : ofSession.getOrDefault(session, Set.of())) {
            membersOf(subscription, session).stream()
                    .filter(member -> member.exclusive)
                    .forEach(member ->
                            claims.claimSubscription(connection, subscription, identityOf(session, member.consumer)));
        }
    }

    private List<Member> membersOf(UUID subscription, ClientSession session) {
        return members.getOrDefault(subscription, Set.of()).stream()
                .filter(member -> member.session.equals(session))
                .toList();
    }

    @Override
    public void onDetached(ClientSession session) {
        // What it holds stays with it for the grace.
    }

    @Override
    public void onEnded(ClientSession session, ClientConnection connection) {
        Set<UUID> joined = ofSession.remove(session);
        if (joined == null) {
            return;
        }
        for (UUID subscription : joined) {
            for (Member member : membersOf(subscription, session)) {
                remove(subscription, member);
                if (member.exclusive) {
                    claims.releaseSubscription(connection, subscription);
                }
            }
        }
    }

    @Override
    public void onConnectionEnded(ClientConnection connection) {
        claims.connectionEnded(connection);
    }
}
