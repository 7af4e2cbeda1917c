package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.Send;
import java.util.function.IntFunction;

/** What a {@link PartitionSender} needs of its connection. All on the loop. */
interface SendRoute {

    /** Returns whether frames reach the server now. */
    boolean up();

    /**
     * Sends a batch over the socket that is there.
     *
     * @param session whose request it is
     * @param frame makes the frame for a correlation id
     * @param sent runs when the last byte was handed to the socket
     * @param handler takes the outcome
     */
    void send(int session, IntFunction<Send> frame, Runnable sent, ReplyHandler handler);

    /** Returns a session that is known to the server, the preferred one if it is. */
    int usableSession(int preferred);

    /**
     * Asks the server for a destination, now or when it can be reached again.
     *
     * @param address which one
     * @param handler takes a {@link io.millrace.wire.frame.DestinationDescribed}, or why there is none
     */
    void describe(PartitionAddress address, ReplyHandler handler);

    /**
     * Gets a producer id that nobody else uses.
     *
     * @param spent an identity that must not be given again, or one that never was
     * @param taker is given it, now or later
     */
    void identity(ProducerIdentity spent, IdentityTaker taker);

    /** Returns the thread and its timers. */
    Loop loop();
}
