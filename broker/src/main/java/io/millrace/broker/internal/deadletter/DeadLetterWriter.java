package io.millrace.broker.internal.deadletter;

import io.millrace.broker.internal.partition.GivenUp;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.SendReply;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.record.BatchTooLargeException;
import io.millrace.wire.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes about records that are given up to where their address says. What may pass (a full disk, a partition that is not there at the moment)
 * is tried again, five times in fifteen seconds; then, and where trying again is of no use, an error in the log names the records: nobody waits
 * for ever. From any thread.
 */
public final class DeadLetterWriter {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterWriter.class);

    private static final int MAX_ATTEMPTS = 5;
    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Shard control;
    private final Executor io;
    private final LongAdder written = new LongAdder();
    private final LongAdder lost = new LongAdder();

    /**
     * Creates it.
     *
     * @param control the shard whose timers it uses
     * @param io runs what reads from the disk
     */
    public DeadLetterWriter(Shard control, Executor io) {
        this.control = control;
        this.io = new OneAtATime(io);
    }

    /** Returns how many letters were written since the start. */
    public long written() {
        return written.sum();
    }

    /** Returns how many records were given up about which nothing could be written. */
    public long lost() {
        return lost.sum();
    }

    /** Does what {@link io.millrace.broker.internal.partition.DeadLetters#write} says. */
    public CompletionStage<Integer> write(DeadLetterAddress address, Partition from, List<GivenUp> records) {
        Writing writing = new Writing(address, from, records);
        writing.begin();
        return writing.done;
    }

    private final class Writing {
        private final DeadLetterAddress address;
        private final Partition from;
        private final List<GivenUp> records;
        private final CompletableFuture<Integer> done = new CompletableFuture<>();
        private int attempts;

        Writing(DeadLetterAddress address, Partition from, List<GivenUp> records) {
            this.address = address;
            this.from = from;
            this.records = records;
        }

        void begin() {
            attempts++;
            address.find(from).whenComplete((found, failure) -> {
                if (failure != null) {
                    again(String.valueOf(failure.getMessage()));
                    return;
                }
                switch (found) {
                    case DeadLetterAddress.Found.Here(Partition to) -> build(to);
                    case DeadLetterAddress.Found.NotNow(String why) -> again(why);
                    case DeadLetterAddress.Found.Never(String why) -> lose(all(), why);
                    case DeadLetterAddress.Found.Unwanted() -> done.complete(all());
                }
            });
        }

        private void build(Partition to) {
            letters(to).whenComplete((letters, failure) -> {
                if (failure == null) {
                    append(to, letters);
                } else if (failure.getCause() instanceof BatchTooLargeException e) {
                    lose(all(), "partition " + to + " takes no letter: " + e.getMessage());
                } else {
                    again(String.valueOf(failure.getMessage()));
                }
            });
        }

        private CompletionStage<DeadLetterBatch> letters(Partition to) {
            long nowMs = control.time().wallClockMs();
            return CompletableFuture.supplyAsync(
                    () -> DeadLetterBatch.of(address, from, records, nowMs, to.maxBatchBytes()), io);
        }

        private void append(Partition to, DeadLetterBatch letters) {
            if (letters.batch().isEmpty()) {
                done.complete(letters.offsets());
                return;
            }
            ByteBuffer batch = letters.batch().get();
            int count = RecordBatch.at(batch, batch.position()).recordCount();
            to.shard()
                    .execute(() -> to.produce(batch, true, new SendReply() {
                        @Override
                        public void onStored(long baseOffset) {
                            written.add(count);
                            done.complete(letters.offsets());
                        }

                        @Override
                        public void onFailed(ErrorCode code, String why) {
                            refused(to, letters, code, why);
                        }
                    }));
        }

        private void refused(Partition to, DeadLetterBatch letters, ErrorCode code, String why) {
            switch (code) {
                // The records stay where they are, and will be given up again after the start.
                case SHUTTING_DOWN -> {}
                case MESSAGE_TOO_LARGE, CORRUPT_BATCH, INVALID_REQUEST ->
                    lose(letters.offsets(), "partition " + to + " refuses it: " + why);
                default -> again(why);
            }
        }

        private void again(String why) {
            if (attempts >= MAX_ATTEMPTS) {
                lose(all(), why);
                return;
            }
            long pauseNs = FIRST_PAUSE_NS << (attempts - 1);
            control.execute(() -> {
                var _ = control.schedule(pauseNs, this::begin);
            });
        }

        private void lose(int offsets, String why) {
            lost.add(offsets);
            LOG.atError()
                    .addKeyValue("event", "dead_letters_lost")
                    .addKeyValue("partition", from)
                    .addKeyValue("group", address.group())
                    .addKeyValue("offsets", named(offsets))
                    .addKeyValue("attempts", attempts)
                    .addKeyValue("cause", why)
                    .log(
                            "Records were given up, and no dead letter could be written about them: they are where they were,"
                                    + " at these offsets, for as long as retention leaves them");
            done.complete(offsets);
        }

        private int all() {
            return Math.toIntExact(
                    records.stream().mapToLong(some -> some.range().count()).sum());
        }

        /** The first offsets of what was given up. */
        private String named(int offsets) {
            long left = offsets;
            StringBuilder text = new StringBuilder();
            for (GivenUp some : records) {
                if (left <= 0) {
                    break;
                }
                long first = some.range().firstOffset();
                long end = Math.min(some.range().endOffset(), first + left);
                left -= end - first;
                text.append(text.isEmpty() ? "" : ",").append(new OffsetRange(first, end));
            }
            return text.toString();
        }
    }
}
