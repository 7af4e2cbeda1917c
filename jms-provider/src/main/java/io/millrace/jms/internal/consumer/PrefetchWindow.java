package io.millrace.jms.internal.consumer;

/**
 * How many messages a consumer should have ahead of the application. It begins with none: a message is fetched when somebody waits for it, so
 * a consumer that nobody reads holds nothing back. Each time the application comes back quickly and finds nothing, the window doubles; when
 * messages lie unread, it closes again. Pure.
 */
final class PrefetchWindow {

    private static final int FIRST_STEP = 2;
    private static final long QUICK_NS = 100_000_000;

    private final int maxMessages;
    private int messages;
    private long lastHungryNs;
    private boolean everHungry;

    PrefetchWindow(int maxMessages) {
        this.maxMessages = maxMessages;
    }

    /** Returns how many, 0: only on demand. */
    int messages() {
        return messages;
    }

    /** The application wants a message and there is none. */
    void onHungry(long nowNs) {
        if (everHungry && nowNs - lastHungryNs < QUICK_NS) {
            messages = Math.min(maxMessages, messages == 0 ? FIRST_STEP : messages * 2);
        }
        everHungry = true;
        lastHungryNs = nowNs;
    }

    /** Messages lie unread. */
    void onUnread() {
        messages = 0;
        everHungry = false;
    }
}
