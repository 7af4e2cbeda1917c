package io.millrace.broker.internal.partition;

import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.shard.ShardTimer;
import io.millrace.coordinator.cursor.RedeliveryPolicy;
import io.millrace.coordinator.cursor.RestingRecords;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Has records dealt out again when their rest is over, which began when they came back. On the shard. */
final class RestTimer {

    private final RestingRecords resting;
    private final Shard shard;
    private final PartitionEdge edge;
    private final Runnable again;
    private @Nullable ShardTimer timer;
    private long timerNs;

    /**
     * Creates it.
     *
     * @param again has the partition deal out when the next turn ends
     */
    RestTimer(RestingRecords resting, Shard shard, PartitionEdge edge, Runnable again) {
        this.resting = resting;
        this.shard = shard;
        this.edge = edge;
        this.again = again;
    }

    void restBy(RedeliveryPolicy policy) {
        resting.restBy(policy, shard.time());
    }

    /** Records may have begun to rest. */
    void onTurnEnd() {
        OptionalLong next = resting.nextNs();
        if (next.isEmpty()) {
            return;
        }
        ShardTimer set = timer;
        if (set == null || next.getAsLong() - timerNs < 0) {
            if (set != null) {
                set.cancel();
            }
            timerNs = next.getAsLong();
            timer = shard.schedule(
                    Math.max(0, next.getAsLong() - shard.time().nanoTime()), () -> edge.guard(this::wake));
        }
    }

    private void wake() {
        timer = null;
        if (resting.wake(shard.time().nanoTime())) {
            again.run();
        }
        onTurnEnd();
    }
}
