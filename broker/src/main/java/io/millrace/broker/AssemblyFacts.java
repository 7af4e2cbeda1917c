package io.millrace.broker;

import io.millrace.broker.internal.metrics.BrokerFacts;
import io.millrace.broker.internal.metrics.GroupMeasures;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.log.CleanerStats;
import java.util.concurrent.TimeUnit;

/** What the parts of a broker tell those who watch it. From any thread. */
record AssemblyFacts(BrokerAssembly parts, long startNs) implements BrokerFacts {

    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    @Override
    public int connections() {
        return parts.listener.openConnections();
    }

    @Override
    public int sessions() {
        return parts.sessions.count();
    }

    @Override
    public double startSeconds() {
        return startNs / NS_PER_SECOND;
    }

    @Override
    public int partitionsOnline() {
        return parts.partitions.count() - parts.partitions.countOffline();
    }

    @Override
    public int partitionsOffline() {
        return parts.partitions.countOffline();
    }

    @Override
    public int readOnlyDirectories() {
        return (int) parts.storage.directories().stream()
                .filter(directory -> directory.failure().isPresent())
                .count();
    }

    @Override
    public long lentBytes() {
        return parts.lending.usedBytes();
    }

    @Override
    public int cursorsShort() {
        return parts.lending.waiting();
    }

    @Override
    public CleanerStats cleaner() {
        return parts.cleaner.stats();
    }

    @Override
    public GroupMeasures groups() {
        return parts.groups::measured;
    }

    @Override
    public long deadLetters() {
        return parts.deadLetters.written();
    }

    @Override
    public long deadLettersLost() {
        return parts.deadLetters.lost();
    }

    @Override
    public int branchesInDoubt() {
        return parts.transactions.branchesInDoubt();
    }

    @Override
    public int queuedRequests() {
        return parts.control.queuedTasks()
                + parts.shards.stream().mapToInt(Shard::queuedTasks).sum();
    }
}
