package io.millrace.broker.internal.network;

/** What {@link ConnectionWatch} asks a connection, whatever protocol it speaks. From any thread. */
interface WatchedConnection {

    /** Returns whether its client says something at least every heartbeat interval, so that silence means that it is gone. */
    boolean sendsHeartbeats();

    /** Returns whether the connection has something that keeps it open although no request comes. */
    boolean isInUse();

    /** Returns for how long the client has had memory for a request in chunks and not used it, in ns. */
    long stalledTransferNs(long nowNs);

    /** Ends the connection, which took too long with something. */
    void timeOut(String why);
}
