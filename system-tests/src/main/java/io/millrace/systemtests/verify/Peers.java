package io.millrace.systemtests.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Many bad clients, which go together. Used by one thread. */
final class Peers implements AutoCloseable {
    private final List<RawPeer> open = new ArrayList<>();
    private int refused;

    /** What makes one of them. */
    interface Arrival {
        RawPeer arrive() throws IOException;
    }

    /** What one of them does. */
    interface Deed {
        void on(RawPeer peer) throws IOException;
    }

    /** Has so many come. That the broker lets some of them not in is its right. */
    void arrive(int count, Arrival arrival) {
        for (int i = 0; i < count; i++) {
            try {
                open.add(arrival.arrive());
            } catch (IOException notLetIn) {
                refused++;
            }
        }
    }

    /** Has all that are still there do something; those that cannot are gone. */
    void each(Deed deed) throws IOException {
        for (RawPeer peer : List.copyOf(open)) {
            try {
                deed.on(peer);
            } catch (IOException closedByBroker) {
                peer.close();
                open.remove(peer);
            }
        }
    }

    int count() {
        return open.size();
    }

    int refused() {
        return refused;
    }

    @Override
    public void close() throws IOException {
        for (RawPeer peer : open) {
            peer.close();
        }
        open.clear();
    }
}
