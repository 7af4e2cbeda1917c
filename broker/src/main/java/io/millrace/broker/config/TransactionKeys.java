package io.millrace.broker.config;

import io.millrace.log.config.ConfigKey;
import java.util.List;

/** The settings of transactions, and of the topic in which they are kept; under the names of Kafka 4.4 where Kafka has them. */
public final class TransactionKeys {

    public static final ConfigKey<Integer> TOPIC_PARTITIONS = ConfigKey.ofInt("transaction.state.log.num.partitions")
            .withDefault(4)
            .atLeast(1)
            .atMost(10000)
            .describedAs(
                    "Partitions of __transaction_state, when it is created. A transaction belongs to the partition that its id names, so that it cannot be changed later.");

    public static final ConfigKey<Integer> TOPIC_SEGMENT_BYTES = ConfigKey.ofInt("transaction.state.log.segment.bytes")
            .withDefault(104857600)
            .atLeast(1024)
            .describedAs(
                    "Size of the files of __transaction_state, when it is created; files that are full are compacted.");

    public static final ConfigKey<Integer> LOAD_BUFFER_SIZE = ConfigKey.ofInt("transaction.state.log.load.buffer.size")
            .withDefault(5242880)
            .atLeast(1)
            .describedAs(
                    "Bytes that are read at a time from __transaction_state when transactions are loaded after a start.");

    public static final ConfigKey<Integer> MAX_TIMEOUT_MS = ConfigKey.ofInt("transaction.max.timeout.ms")
            .withDefault(900000)
            .atLeast(1)
            .describedAs(
                    "The longest time for which a producer, or a branch of a distributed transaction that is not prepared, may keep a transaction open. Transacted JMS sessions may for as long as they live.");

    public static final ConfigKey<Integer> ID_EXPIRATION_MS = ConfigKey.ofInt("transactional.id.expiration.ms")
            .withDefault(604800000)
            .atLeast(1)
            .describedAs("After so long without a transaction a transactional id is forgotten.");

    public static final ConfigKey<Integer> MAX_OPEN = ConfigKey.ofInt("transaction.max.open")
            .withDefault(20000)
            .atLeast(1)
            .describedAs(
                    "Transactions of JMS sessions and of branches that each partition of __transaction_state has open at a time; beyond that none are begun. As many transactional ids of producers are kept: for another one, the one that was unused for longest is forgotten. As many outcomes are kept for sessions whose connection was lost: beyond that they are not told any more what came of a commit.");

    /** All of them, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(
            TOPIC_PARTITIONS, TOPIC_SEGMENT_BYTES, LOAD_BUFFER_SIZE, MAX_TIMEOUT_MS, ID_EXPIRATION_MS, MAX_OPEN);

    private TransactionKeys() {}
}
