package io.millrace.broker.internal.kafka;

import java.net.InetAddress;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** The client at the other end of a connection. From any thread, except where it says otherwise. */
public interface KafkaClient {

    /** Returns where it is. */
    InetAddress address();

    /** Returns the name of the listener that it came through. */
    String listener();

    /** Returns whether that listener encrypts and has logins. */
    SecurityProtocol securityProtocol();

    /** Returns who it is, as {@code User:name}; {@code User:ANONYMOUS} when nobody asked. */
    String principal();

    /** Runs a task on the connection's socket loop, after a while. */
    Runnable schedule(long delayMs, Runnable task);

    /** Runs a task on the connection's socket loop. */
    void execute(Runnable task);

    /** Has a task run on the connection's socket loop when it has ended, at once if it has. */
    void whenClosed(Runnable task);

    /**
     * Leaves what the client sends unread for a while.
     *
     * @param throttleMs for how long, in ms; longer ones that have begun go on
     */
    void throttle(long throttleMs);

    /** Ends the connection; why is logged. */
    void close(String why);

    /** Returns whether the connection has ended. */
    boolean isClosed();
}
