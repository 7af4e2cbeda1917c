package io.millrace.broker.internal.session;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ClientSession;

/** Is told when sessions come and go. Called on the control shard. */
public interface SessionListener {

    /** The session is on another connection than before; the old one may still be open. */
    void onResumed(ClientSession session, ClientConnection connection);

    /** The session's connection is lost; the session may come back. */
    void onDetached(ClientSession session);

    /** The session is over: closed by its client, or its grace ran out. It was last on this connection. */
    void onEnded(ClientSession session, ClientConnection connection);

    /** The connection and all sessions that were last on it are over. */
    void onConnectionEnded(ClientConnection connection);
}
