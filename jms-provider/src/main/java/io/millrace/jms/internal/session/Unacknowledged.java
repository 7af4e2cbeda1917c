package io.millrace.jms.internal.session;

import io.millrace.jms.internal.consumer.HeldMessage;
import java.util.ArrayList;
import java.util.List;

/** Messages that a session has given to the application and that nobody has acknowledged yet, oldest first. For any thread. */
final class Unacknowledged {

    private List<HeldMessage> messages = new ArrayList<>();

    synchronized void add(HeldMessage message) {
        messages.add(message);
    }

    synchronized void remove(HeldMessage message) {
        messages.remove(message);
    }

    /** Returns all of them, which then are somebody else's. */
    synchronized List<HeldMessage> takeAll() {
        List<HeldMessage> all = messages;
        messages = new ArrayList<>();
        return all;
    }
}
