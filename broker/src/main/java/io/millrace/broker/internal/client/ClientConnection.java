package io.millrace.broker.internal.client;

import io.millrace.broker.internal.security.Rights;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Frame;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

/**
 * A connection whose client has logged in, as seen by handlers, sessions and partitions. All methods may be called from any thread and
 * none blocks.
 */
public interface ClientConnection {

    /** Returns a number that no other connection of this broker has or had since its start. */
    long id();

    /** Returns what the client calls itself, the same over all its connections. */
    UUID clientUuid();

    /** Returns the name the client logged in with. */
    String principal();

    /** Returns what the client may do. */
    Rights rights();

    /**
     * Sends a frame after those sent before for the same session. On a closed connection it is dropped: whoever must know whether a
     * client got something waits for the client to say so.
     *
     * @param session number of the session that it belongs to, 0 for the connection itself
     */
    void send(int session, Frame frame);

    /**
     * Returns whether so many bytes wait for this client to read them that nothing should be sent which can wait: deliveries stay where
     * they are until {@link #whenUncongested}.
     */
    boolean isCongested();

    /** Runs a task as soon as the connection is not congested, perhaps at once; never if it is closed before. */
    void whenUncongested(Runnable task);

    /**
     * Sends what was sent before, tells the client why, and closes. Without effect when the connection is closing already.
     *
     * @param code why; with {@link ErrorCode#NONE} the client is told nothing, since it was the one who said goodbye
     */
    void close(ErrorCode code, String reason);

    /** Returns whether the connection is closed or about to be. */
    boolean isClosed();

    /** Returns the session that the client knows under this number on this connection. */
    Optional<ClientSession> session(int number);

    /** Returns all sessions of this connection. */
    Collection<ClientSession> sessions();

    /** Makes {@link #session} find the session. On the control shard only. */
    void bind(int number, ClientSession session);

    /** Takes back {@link #bind}. On the control shard only. */
    void unbind(int number);

    /** Returns address and name of the client, for logs. */
    @Override
    String toString();
}
