package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.internal.segment.TransactionIndex;
import io.millrace.wire.record.EndTransactionMarker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A power cut may leave zeros where the index of aborted transactions was written last, and a repair makes it anew. */
class TransactionIndexRepairTest {
    private static final PartitionId PARTITION = new PartitionId("orders", 0);
    private static final UUID LOG_ID = new UUID(3, 4);

    /** Records of tests are old. */
    private static final LogConfig CONFIG =
            LogConfig.builder().rollMs(Long.MAX_VALUE).build();

    private final SimulatedNode node = new SimulatedNode(1);

    /** The start that a repair tries comes across the markers only that were not synced; the others have to come back all the same. */
    @Test
    void shouldKnowAllAbortedTransactionsThoughSomeWereNotSynced() throws IOException {
        PartitionLog log = node.open(30, 0)
                .create(PARTITION, LogRole.DATA, LOG_ID, CONFIG, Runnable::run, node.listener(at -> {}));
        abort(log, 0);
        node.storage().close();
        // With a snapshot of producers from the close, a start believes what the index says up to there.
        log = node.open(30, 0).open(PARTITION, LogRole.DATA, LOG_ID, CONFIG, Runnable::run, node.listener(at -> {}));
        abort(log, 1);
        List<AbortedTransaction> aborted = log.abortedTransactions(0, log.logEndOffset());
        node.disk.kill();
        node.disk.restart();
        Path index = node.directory.resolve("orders-0").resolve("00000000000000000000.txnindex");
        Files.write(index, new byte[(int) Files.size(index)]);

        RepairReport report = LogVerifier.repair(node.directory, false, List.of());

        assertThat(report.refused()).isEmpty();
        assertThat(report.after().findings()).isEmpty();
        assertThat(TransactionIndex.decode(ByteBuffer.wrap(Files.readAllBytes(index))))
                .isEqualTo(aborted)
                .hasSize(2);
    }

    private static void abort(PartitionLog log, int sequence) {
        log.append(Batches.inTransaction(8, 0, sequence, "aborted"), 0, AppendOrigin.CLIENT);
        log.append(Batches.marker(8, 0, EndTransactionMarker.abort(0)), 0, AppendOrigin.COORDINATOR);
    }
}
