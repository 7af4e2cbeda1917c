package io.millrace.broker.internal.client;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One session of a client. It outlives its connection by the grace, so that acquisitions and claims survive a short cut.
 *
 * <p>Its life is decided on the control shard by {@code Sessions}; what others read here is safe from any thread.
 */
public final class ClientSession {

    private final long id;
    private final UUID uuid;
    private final UUID clientUuid;
    private final AtomicInteger openRequests = new AtomicInteger();
    private final ConcurrentHashMap<ConsumerAddress, SessionConsumer> consumers = new ConcurrentHashMap<>();
    private final Set<ConsumerAddress> closed = ConcurrentHashMap.newKeySet();
    private volatile Optional<SessionLink> link;
    private volatile boolean ended;

    /**
     * Creates a session that is attached.
     *
     * @param id number that no other session of this broker has or had since its start: a session that ended and one that was opened
     *     later under the same uuid are different
     * @param uuid chosen by the client
     * @param clientUuid the client that owns it
     * @param link where the client is
     */
    public ClientSession(long id, UUID uuid, UUID clientUuid, SessionLink link) {
        this.id = id;
        this.uuid = uuid;
        this.clientUuid = clientUuid;
        this.link = Optional.of(link);
    }

    public long id() {
        return id;
    }

    public UUID uuid() {
        return uuid;
    }

    public UUID clientUuid() {
        return clientUuid;
    }

    /** Returns where the client is, or nothing while its connection is lost. */
    public Optional<SessionLink> link() {
        return link;
    }

    /** The client came back. On the control shard only. */
    public void attach(SessionLink newLink) {
        this.link = Optional.of(newLink);
    }

    /** The connection was lost. On the control shard only. */
    public void detach() {
        this.link = Optional.empty();
    }

    /** The session is over for good. On the control shard only. */
    public void end() {
        this.link = Optional.empty();
        this.ended = true;
    }

    /** Returns whether the session is over: nothing may be given to it any more. */
    public boolean isEnded() {
        return ended;
    }

    /** Returns the count of requests that wait for an answer, to be changed by whoever opens and finishes exchanges. */
    public AtomicInteger openRequests() {
        return openRequests;
    }

    /** Returns a consumer that is open, or closed and still holding records. */
    public Optional<SessionConsumer> consumer(ConsumerAddress address) {
        return Optional.ofNullable(consumers.get(address));
    }

    /** Returns all such consumers. */
    public Collection<SessionConsumer> consumers() {
        return consumers.values();
    }

    /** Returns how many of them are open. On the control shard only. */
    public int openConsumers() {
        return consumers.size() - closed.size();
    }

    /** Makes {@link #consumer} find a consumer. On the control shard only. */
    public void putConsumer(ConsumerAddress address, SessionConsumer consumer) {
        consumers.put(address, consumer);
        closed.remove(address);
    }

    /** Notes that a consumer is closed and still holds records. On the control shard only. */
    public void closeConsumer(ConsumerAddress address) {
        if (consumers.containsKey(address)) {
            closed.add(address);
        }
    }

    /** Returns whether a consumer is closed and held records then, so that it is to be forgotten once it holds none. */
    public boolean isClosed(ConsumerAddress address) {
        return closed.contains(address);
    }

    /** Forgets a consumer. On the control shard only. */
    public void removeConsumer(ConsumerAddress address) {
        consumers.remove(address);
        closed.remove(address);
    }

    @Override
    public String toString() {
        return "session " + uuid;
    }
}
