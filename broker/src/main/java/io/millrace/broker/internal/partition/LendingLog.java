package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.LendingMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the operator when clients hold so much without acknowledging it that others have to wait. On any thread. */
public final class LendingLog implements LendingMemory.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(LendingLog.class);

    @Override
    public void onFull(long usedBytes, long limitBytes) {
        LOG.atWarn()
                .addKeyValue("event", "lending_memory_full")
                .addKeyValue("usedBytes", usedBytes)
                .addKeyValue("limitBytes", limitBytes)
                .log(
                        "Clients hold so many messages without acknowledging them that a queue or subscription gets no more;"
                                + " see cursor.lent.max.bytes");
    }

    @Override
    public void onRoom(long usedBytes, long limitBytes) {
        LOG.atInfo()
                .addKeyValue("event", "lending_memory_has_room")
                .addKeyValue("usedBytes", usedBytes)
                .addKeyValue("limitBytes", limitBytes)
                .log("Clients have acknowledged or given back enough messages: deliveries are as usual");
    }
}
