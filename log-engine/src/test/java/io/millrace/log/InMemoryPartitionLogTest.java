package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class InMemoryPartitionLogTest extends PartitionLogContract {
    private long maxBytes = 1 << 20;

    @Override
    protected PartitionLog create(LogConfig config) {
        return new InMemoryPartitionLog(
                PARTITION, LogRole.DATA, new UUID(1, 2), config, maxBytes, shard, listener, time);
    }

    @Override
    protected void runSyncer() {
        // nothing to sync
    }

    @Test
    void shouldRefuseAppendsWhenItIsFull() {
        maxBytes = 200;
        PartitionLog log = create(LogConfig.DEFAULT);
        log.append(Batches.of("a"), 0, AppendOrigin.CLIENT);
        log.append(Batches.of("b"), 0, AppendOrigin.CLIENT);

        assertThatThrownBy(() -> log.append(Batches.of("c"), 0, AppendOrigin.CLIENT))
                .isInstanceOf(DiskFullException.class)
                .hasMessageContaining("orders-0 is full");

        log.advanceLogStart(1);
        log.append(Batches.of("d"), 0, AppendOrigin.CLIENT);
        assertThat(Batches.readAll(log)).containsExactly("1=b", "2=d");
    }

    @Test
    void shouldRemoveWhatIsOverTheRetention() {
        PartitionLog log = create(LogConfig.builder().retentionMs(100).build());
        long now = time.wallClockMs();
        log.append(Batches.at(now - 200, "a"), 0, AppendOrigin.CLIENT);
        log.append(Batches.at(now - 150, "b"), 0, AppendOrigin.CLIENT);
        log.append(Batches.at(now, "c"), 0, AppendOrigin.CLIENT);

        assertThat(log.retain(now, 1).bytes()).isPositive();
        assertThat(Batches.readAll(log)).containsExactly("1=b", "2=c");
        log.retain(now, Long.MAX_VALUE);
        assertThat(Batches.readAll(log)).containsExactly("2=c");
    }
}
