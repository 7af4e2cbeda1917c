package io.millrace.broker.internal.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.coordinator.cursor.CursorLimits;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.AppendOrigin;
import io.millrace.log.DiskLogStorage;
import io.millrace.log.LogConfig;
import io.millrace.log.LogRole;
import io.millrace.log.LogStorage;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.StorageException;
import io.millrace.log.SyncListener;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A start with a transaction that has been open while much passed by. */
class UndecidedScanTest {

    private static final PartitionId ORDERS = new PartitionId("orders", 0);
    private static final UUID LOG_ID = new UUID(1, 2);
    private static final LogConfig CONFIG =
            LogConfig.builder().segmentBytes(1 << 20).build();
    private static final int PASSING = 200;
    private static final int PASSING_BYTES = 100_000;

    private final FakeDisk disk = new FakeDisk(new SplittableRandom(3));
    private final FakeTimeSource time = new FakeTimeSource();

    private static final class Unasked implements SyncListener {
        @Override
        public void onSynced(long syncedOffset) {
            // Nobody waits.
        }

        @Override
        public void onSyncFailed(StorageException failure) {
            throw failure;
        }
    }

    private LogStorage storage() {
        return DiskLogStorage.builder(List.of(disk.root().resolve("data")), time, new SplittableRandom(4))
                .open();
    }

    private static ByteBuffer batch(long producerId, int sequence, boolean transactional, int bytes) {
        RecordBatchBuilder builder = new RecordBatchBuilder(1 << 20, 1 << 20);
        assertThat(builder.tryAppend(1_000, null, new byte[bytes])).isTrue();
        return builder.producer(producerId, (short) 0, sequence)
                .transactional(transactional)
                .build();
    }

    @Test
    void shouldReadNoFurtherThanTheLastRecordThatIsUndecided() {
        try (LogStorage storage = storage()) {
            PartitionLog log = storage.create(ORDERS, LogRole.DATA, LOG_ID, CONFIG, Runnable::run, new Unasked());
            log.append(batch(9, 0, false, 10), 0, AppendOrigin.CLIENT);
            log.append(batch(5, 0, true, 10), 0, AppendOrigin.CLIENT);
            log.append(batch(9, 1, false, 10), 0, AppendOrigin.CLIENT);
            log.append(batch(5, 1, true, 10), 0, AppendOrigin.CLIENT);
            for (int i = 0; i < PASSING; i++) {
                log.append(batch(9, 2 + i, false, PASSING_BYTES), 0, AppendOrigin.CLIENT);
            }
        }
        try (LogStorage storage = storage()) {
            PartitionLog log = storage.open(ORDERS, LogRole.DATA, LOG_ID, CONFIG, Runnable::run, new Unasked());
            PartitionCursors cursors = new PartitionCursors(CursorLimits.DEFAULT);
            long before = disk.bytesRead();

            TransactionalRecords.findUndecided(log, cursors.undecided());

            assertThat(disk.bytesRead() - before).isLessThan(PASSING * PASSING_BYTES / 10);
            assertThat(cursors.undecided().endOf(5)).isEqualTo(4);
            assertThat(log.lastStableOffset()).isEqualTo(1);
            assertThat(log.logEndOffset()).isEqualTo(4 + PASSING);
            assertThat(RecordBatch.at(log.read(1, 1, Long.MAX_VALUE).batches(), 0)
                            .producerId())
                    .isEqualTo(5);
        }
    }
}
