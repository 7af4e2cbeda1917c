package io.millrace.broker.internal.shard;

/** A task that waits for its time on a {@link Shard}. Only that shard touches it. */
public final class ShardTimer implements Comparable<ShardTimer> {

    private final long deadlineNs;
    private final long sequence;
    private final Runnable task;
    private boolean cancelled;

    ShardTimer(long deadlineNs, long sequence, Runnable task) {
        this.deadlineNs = deadlineNs;
        this.sequence = sequence;
        this.task = task;
    }

    /** Takes the task back; without effect when it has run already. */
    public void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    boolean isDue(long nowNs) {
        return deadlineNs - nowNs <= 0;
    }

    long deadlineNs() {
        return deadlineNs;
    }

    Runnable task() {
        return task;
    }

    /** By deadline, and in the order of scheduling where deadlines are equal. */
    @Override
    public int compareTo(ShardTimer other) {
        int byDeadline = Long.signum(deadlineNs - other.deadlineNs);
        return byDeadline != 0 ? byDeadline : Long.compare(sequence, other.sequence);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(sequence);
    }
}
