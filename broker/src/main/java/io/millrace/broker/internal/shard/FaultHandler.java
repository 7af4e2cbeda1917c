package io.millrace.broker.internal.shard;

/** Is told of failures that nobody expected: bugs and broken invariants, never a client's mistake. */
@FunctionalInterface
public interface FaultHandler {

    /**
     * Called on the thread where it happened; must not throw.
     *
     * @param where shard, connection or partition concerned
     * @param fault what was thrown
     */
    void onFault(String where, Throwable fault);
}
