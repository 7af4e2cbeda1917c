package io.millrace.broker;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.quorum.InMemoryMetadataQuorum;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionCoordinator;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A broker that keeps nothing on disk, for tests of everything above the disk. */
final class TestBroker implements AutoCloseable {

    private final ExecutorService quorumThread = Executors.newSingleThreadExecutor();
    private final Broker broker;

    private TestBroker(TimeSource time, Map<String, String> config) {
        Map<String, String> all = new HashMap<>(config);
        all.putIfAbsent("port", "0");
        all.putIfAbsent("num.io.threads", "2");
        all.putIfAbsent("metrics.jmx.enable", "false");
        this.broker = Broker.start(
                BrokerConfig.of(all),
                new InMemoryLogStorage(time),
                new InMemoryMetadataQuorum(1, quorumThread),
                time,
                new SplittableRandom(1),
                new BrokerMetrics(Integer.parseInt(all.get("num.io.threads"))),
                () -> {},
                new CompletableFuture<>());
    }

    /** Starts a broker with settings given as key, value, key, value... */
    static TestBroker start(String... config) {
        return start(SystemTimeSource.instance(), config);
    }

    static TestBroker start(TimeSource time, String... config) {
        Map<String, String> settings = new HashMap<>();
        for (int i = 0; i < config.length; i += 2) {
            settings.put(config[i], config[i + 1]);
        }
        return new TestBroker(time, settings);
    }

    int port() {
        return broker.port();
    }

    /** Bytes of requests in work. */
    long inFlightBytes() {
        return broker.listener().inFlightBytes();
    }

    /** Bytes that wait for clients to read them. */
    long outboundBytes() {
        return broker.listener().outboundBytes();
    }

    /** Cursors that wait for memory to note what they lend. */
    int cursorsShort() {
        return broker.lending().waiting();
    }

    /** Fetches that wait for more to read. */
    int waitingReaders() {
        return broker.parts().partitions.all().stream()
                .mapToInt(Partition::waitingReaders)
                .sum();
    }

    /** What is open at the coordinators, as id and state, and in the partitions, as partition and producer. */
    List<String> openTransactions() {
        List<String> open = new ArrayList<>();
        Set<ProducerIdentity> prepared = new HashSet<>();
        broker.parts().transactions.ofAll(TransactionCoordinator::list).join().stream()
                .flatMap(List::stream)
                .filter(record -> !record.state().isOver())
                .forEach(record -> {
                    open.add(record.id() + " " + record.state());
                    if (record.state().isPromised()) {
                        prepared.add(record.current());
                    }
                });
        for (Partition partition : broker.parts().partitions.all()) {
            for (Participant.Part part : Participant.Part.values()) {
                CompletableFuture.supplyAsync(() -> partition.transactions().open(part), partition.shard())
                        .join()
                        .stream()
                        // What is prepared is open there too.
                        .filter(identity -> !prepared.contains(identity))
                        .forEach(identity -> open.add(partition.id() + " " + part + " " + identity));
            }
        }
        return open;
    }

    /** How many transactions the coordinators know, open or not. */
    int knownTransactions() {
        return broker.parts().transactions.ofAll(TransactionCoordinator::list).join().stream()
                .mapToInt(List::size)
                .sum();
    }

    int openConnections() {
        return broker.listener().openConnections();
    }

    @Override
    public void close() {
        broker.close();
        quorumThread.shutdownNow();
    }
}
