package io.millrace.broker.internal.simulation;

import java.util.ArrayDeque;

/**
 * A connection between a client and the broker: what either says arrives in its order, each at some time. When it is cut, some of what was on
 * its way to the broker still arrives, and then the broker notices.
 */
class Link {

    private final ArrayDeque<Runnable> toBroker = new ArrayDeque<>();
    private final ArrayDeque<Runnable> toClient = new ArrayDeque<>();
    private final Runnable onCut;
    private boolean cut;
    private boolean over;

    /** @param onCut told when nothing will come any more */
    Link(Runnable onCut) {
        this.onCut = onCut;
    }

    /** Something for the broker. */
    void ask(Runnable atBroker) {
        if (!cut) {
            toBroker.add(atBroker);
        }
    }

    /** Something for the client. */
    void tell(Runnable atClient) {
        if (!cut) {
            toClient.add(atClient);
        }
    }

    boolean hasSomething() {
        return !toBroker.isEmpty() || !toClient.isEmpty();
    }

    /** Has one thing arrive. */
    void deliver(boolean preferClient) {
        Runnable next = (preferClient && !toClient.isEmpty()) || toBroker.isEmpty() ? toClient.poll() : toBroker.poll();
        if (next != null) {
            next.run();
        }
    }

    int waitingForClient() {
        return toClient.size();
    }

    int waitingForBroker() {
        return toBroker.size();
    }

    /** @param arriving how much of what is on its way to the broker arrives first */
    void cut(int arriving) {
        if (cut) {
            return;
        }
        cut = true;
        toClient.clear();
        while (toBroker.size() > arriving) {
            toBroker.removeLast();
        }
        toBroker.add(() -> {
            over = true;
            onBrokerNotices();
        });
        onCut.run();
    }

    /** The broker is gone. */
    void drop() {
        toClient.clear();
        toBroker.clear();
        over = true;
        if (!cut) {
            cut = true;
            onCut.run();
        }
    }

    boolean isCut() {
        return cut;
    }

    boolean isOver() {
        return over;
    }

    void onBrokerNotices() {}
}
