package io.millrace.systemtests.verify;

import java.util.Map;

/** Both ends of a transfer, as a {@link TransferTrial} has them: where messages are sent, and where they arrive. */
interface TransferEnds extends AutoCloseable {

    /** Makes what does not come into being by itself. */
    void create() throws InterruptedException;

    /** Sends messages with these numbers to where they are moved from. */
    void send(int first, int count);

    /** Waits until as many have arrived as were sent, and a little longer; returns how often each did. */
    Map<Integer, Integer> arrived(int sent);

    /** Returns how many messages are left where they were moved from, as far as that can be told. */
    int left();

    @Override
    void close();
}
