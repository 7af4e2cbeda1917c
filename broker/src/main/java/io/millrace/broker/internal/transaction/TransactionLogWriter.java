package io.millrace.broker.internal.transaction;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.coordinator.transaction.TransactionLog;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.record.RecordBatchBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Appends what a coordinator decided to its partition of {@code __transaction_state}: the records of a turn as one batch, and tells when they
 * are below the high watermark. On the shard of the partition.
 */
final class TransactionLogWriter implements TransactionLog {

    private static final int BATCH_BYTES = 512 * 1024;
    private static final int MAX_BATCH_BYTES = 16 * 1024 * 1024;

    /** A state of a transaction, or none if it is forgotten. */
    private record Unwritten(String id, @Nullable TransactionRecord record, CompletableFuture<Void> durable) {}

    private record Undurable(long endOffset, List<CompletableFuture<Void>> answers) {}

    private final Partition partition;
    private final List<Unwritten> unwritten = new ArrayList<>();
    private final ArrayDeque<Undurable> undurable = new ArrayDeque<>();
    /** Whether somebody waits for some of the unwritten to be durable. */
    private boolean hurried;

    TransactionLogWriter(Partition partition) {
        this.partition = partition;
        partition.watch(this::onProgress);
    }

    @Override
    public CompletionStage<Void> append(TransactionRecord record) {
        hurried = true;
        return add(record.id(), record);
    }

    @Override
    public CompletionStage<Void> remove(String id) {
        hurried = true;
        return add(id, null);
    }

    @Override
    public void note(TransactionRecord record) {
        var _ = add(record.id(), record);
    }

    @Override
    public void noteRemoved(String id) {
        var _ = add(id, null);
    }

    private CompletionStage<Void> add(String id, @Nullable TransactionRecord record) {
        if (unwritten.isEmpty()) {
            partition.shard().beforeTurnEnd(this::writeAll);
        }
        CompletableFuture<Void> durable = new CompletableFuture<>();
        unwritten.add(new Unwritten(id, record, durable));
        return durable;
    }

    private void writeAll() {
        List<Unwritten> all = List.copyOf(unwritten);
        unwritten.clear();
        long nowMs = partition.shard().time().wallClockMs();
        RecordBatchBuilder builder = new RecordBatchBuilder(BATCH_BYTES, MAX_BATCH_BYTES);
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        for (Unwritten one : all) {
            byte[] key = TransactionRecordCodec.encodeKey(one.id);
            byte[] value = one.record == null ? null : TransactionRecordCodec.encodeValue(one.record);
            if (!builder.tryAppend(nowMs, key, value)) {
                write(builder, answers, hurried);
                builder.reset().tryAppend(nowMs, key, value);
                answers = new ArrayList<>();
            }
            answers.add(one.durable);
        }
        write(builder, answers, hurried);
        hurried = false;
    }

    private void write(RecordBatchBuilder builder, List<CompletableFuture<Void>> answers, boolean sync) {
        partition.appendOwn(builder.build(), sync, new Reply<>() {
            @Override
            public void onDone(Long endOffset) {
                undurable.add(new Undurable(endOffset, answers));
                onProgress();
            }

            @Override
            public void onFailed(ErrorCode code, String message) {
                TransactionError error = code == ErrorCode.DISK_FULL || code == ErrorCode.MESSAGE_TOO_LARGE
                        ? TransactionError.NOT_AVAILABLE
                        : TransactionError.IN_DOUBT;
                fail(answers, error, message);
            }
        });
    }

    /** More is durable, or nothing will be any more. */
    private void onProgress() {
        long highWatermark = partition.snapshot().highWatermark();
        while (!undurable.isEmpty() && undurable.peek().endOffset <= highWatermark) {
            undurable.poll().answers.forEach(answer -> answer.complete(null));
        }
        if (!partition.snapshot().online()) {
            for (Undurable left = undurable.poll(); left != null; left = undurable.poll()) {
                fail(left.answers, TransactionError.IN_DOUBT, "the log of transactions went offline");
            }
        }
    }

    private void fail(List<CompletableFuture<Void>> answers, TransactionError error, String why) {
        answers.forEach(
                answer -> answer.completeExceptionally(new TransactionException(error, partition + ": " + why)));
    }
}
