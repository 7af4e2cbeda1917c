package io.millrace.jms.internal.consumer;

/** What a session received in one transaction: offsets and no messages, so that a long one needs little memory. For any thread, until it is ended on the loop. */
public final class Receipts {

    private final HeldSet received = new HeldSet();
    private boolean empty = true;

    /** The application has got a message. */
    public synchronized void add(HeldMessage message) {
        empty = false;
        received.add(message);
    }

    /** Returns whether nothing was received. */
    public synchronized boolean isEmpty() {
        return empty;
    }

    /** Returns all of it; to be called when nothing more is added. */
    synchronized HeldSet received() {
        return received;
    }
}
