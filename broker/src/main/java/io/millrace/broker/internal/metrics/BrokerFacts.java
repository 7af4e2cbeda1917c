package io.millrace.broker.internal.metrics;

import io.millrace.log.CleanerStats;

/** What the broker knows about itself without counting. Called from any thread, whenever somebody looks. */
public interface BrokerFacts {

    /** Connections that are open, whatever their state. */
    int connections();

    /** Sessions of clients, those included whose connection is lost and whose grace runs. */
    int sessions();

    /** From the start of the broker until it served. */
    double startSeconds();

    /** Partitions that serve. */
    int partitionsOnline();

    /** Partitions that should be here and do not serve. */
    int partitionsOffline();

    /** Data directories that take no writes until the broker is restarted. */
    int readOnlyDirectories();

    /** Bytes in which cursors note what they have lent. */
    long lentBytes();

    /** Cursors that have to wait before they lend more, since those bytes are used up. */
    int cursorsShort();

    /** What the cleaner of logs has done. */
    CleanerStats cleaner();

    /** What is measured of groups. */
    GroupMeasures groups();

    /** Dead letters that were written. */
    long deadLetters();

    /** Records that were given up, and about which nothing could be written. */
    long deadLettersLost();

    /** Prepared branches that have waited for a decision for more than a minute. */
    int branchesInDoubt();

    /** Requests that wait for a shard. */
    int queuedRequests();
}
