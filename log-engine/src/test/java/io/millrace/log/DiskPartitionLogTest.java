package io.millrace.log;

import io.millrace.testkit.disk.FakeDisk;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

class DiskPartitionLogTest extends PartitionLogContract {
    private final FakeDisk disk = new FakeDisk(new Random(1));
    private @Nullable DiskLogStorage storage;

    @Override
    protected PartitionLog create(LogConfig config) {
        DiskLogStorage opened = DiskLogStorage.builder(List.of(disk.root().resolve("data")), time, new Random(1))
                .open();
        storage = opened;
        return opened.create(PARTITION, LogRole.DATA, new UUID(1, 2), config, shard, listener);
    }

    @Override
    protected void runSyncer() {
        if (storage != null) {
            storage.runSyncRounds();
        }
    }

    @AfterEach
    void close() {
        if (storage != null) {
            storage.close();
        }
    }
}
