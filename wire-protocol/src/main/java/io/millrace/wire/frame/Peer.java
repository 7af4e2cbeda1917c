package io.millrace.wire.frame;

/** The two ends of a connection. */
public enum Peer {
    /** Who opened it. */
    CLIENT,
    /** Who listens. */
    SERVER
}
