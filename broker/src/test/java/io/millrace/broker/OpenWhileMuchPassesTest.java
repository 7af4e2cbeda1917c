package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawProducer;
import io.millrace.broker.client.RawTransactions;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.BranchPrepared;
import io.millrace.wire.frame.BranchesRecovered;
import io.millrace.wire.frame.CommitBranch;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.PrepareBranch;
import io.millrace.wire.frame.RecoverBranches;
import io.millrace.wire.frame.RollbackBranch;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.name.DestinationKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction stays open while much is sent to its queue and consumed: what it needs stays, all else goes, also over a restart. */
class OpenWhileMuchPassesTest {

    private static final BranchId BRANCH = new BranchId(1, "0c", "0d");
    private static final int ROUNDS = 60;
    private static final String PASSING = "x".repeat(500_000);
    private static final long SEGMENT_BYTES = 1 << 20;

    @TempDir
    private Path directory;

    private EmbeddedBroker start() {
        return EmbeddedBroker.builder()
                .directory(directory)
                .config("log.segment.bytes", Long.toString(SEGMENT_BYTES))
                .config("log.consumed.retention.ms", "0")
                .config("log.retention.check.interval.ms", "200")
                .config("log.cleaner.backoff.ms", "200")
                .start();
    }

    /** Size of the files of the queue's data. */
    private long dataBytes() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file ->
                            file.toString().endsWith(".log") && file.toString().contains("orders-0"))
                    .filter(file -> !file.toString().contains("cursors"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepWhatAPreparedBranchSentAndReceived(boolean commit) {
        try (EmbeddedBroker broker = start()) {
            RawTransactions program = new RawTransactions(RawClient.inSession(broker.port()));
            DestinationDescribed queue = program.client().describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(program.client(), 1, queue);
            RawConsumer consumer = RawConsumer.onQueue(program.client(), 1, 1, queue, 1_000);
            producer.send("received");
            RawConsumer.Message received = consumer.receive(1).getFirst();
            TransactionIdentity identity = program.begin(BRANCH, 0);
            RawClient.join(program.send(queue, identity, "sent"));
            RawClient.join(program.acknowledge(consumer, received, identity));
            for (int i = 0; i < ROUNDS; i++) {
                producer.send(PASSING);
                assertThat(consumer.acknowledge(consumer.receive(1)).refused()).isEmpty();
                consumer.credit(1);
            }
            program.client().request(Done.class, corr -> RawTransactions.leaveFrame(corr, BRANCH));
            program.client().request(BranchPrepared.class, corr -> new PrepareBranch(corr, BRANCH));
            await().atMost(30, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(dataBytes())
                            .as("what passed by is not kept for the sake of a few bytes")
                            .isLessThan(ROUNDS * PASSING.length() / 3));
            broker.kill();
        }
        try (EmbeddedBroker broker = start()) {
            RawClient manager = RawClient.inSession(broker.port());
            DestinationDescribed queue = manager.describe(DestinationKind.QUEUE, "orders");
            RawConsumer consumer = RawConsumer.onQueue(manager, 1, 1, queue, 1_000);
            assertThat(consumer.pull()).isFalse();
            assertThat(manager.deliveryAtHand()).isEmpty();
            List<BranchId> found = manager.request(BranchesRecovered.class, RecoverBranches::new)
                    .branches();
            assertThat(found).containsExactly(BRANCH);
            if (commit) {
                manager.request(Done.class, corr -> new CommitBranch(corr, BRANCH, false));
            } else {
                manager.request(Done.class, corr -> new RollbackBranch(corr, BRANCH));
            }
            assertThat(consumer.receive(1))
                    .extracting(RawConsumer.Message::text)
                    .containsExactly(commit ? "sent" : "received");
            assertThat(consumer.pull()).isFalse();
            assertThat(manager.deliveryAtHand()).isEmpty();
            manager.close();
        }
    }
}
