package io.millrace.broker.internal.partition;

import io.millrace.wire.ErrorCode;

/** Where a consumer's deliveries go: its session on its connection. May be called from any thread, never blocks. */
public interface DeliverySink {

    /** Returns whether the connection takes more at present. */
    boolean isReady();

    /** Runs a task as soon as {@link #isReady} may be true again; never if the connection is gone by then. */
    void whenReady(Runnable task);

    /** Sends a delivery. */
    void deliver(Delivery delivery);

    /** Tells the client that the consumer has ended, not by its own wish. */
    void closed(ErrorCode code, String message);
}
