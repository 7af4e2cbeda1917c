package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.LogRead;
import io.millrace.wire.message.BodyDefault;
import io.millrace.wire.message.MessageRecords;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.time.TimeSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reads a log from its beginning, partition by partition, then prints what is added to it; consumes nothing. */
final class LogPrinting {
    private static final int READ_BYTES = 1 << 20;
    private static final long ASK_AGAIN_MS = 100;

    private final MillraceAdmin admin;
    private final TimeSource time;
    private final MessagePrinter printer;
    private long left;

    LogPrinting(MillraceAdmin admin, TimeSource time, MessagePrinter printer) {
        this.admin = admin;
        this.time = time;
        this.printer = printer;
    }

    /** Prints until one of the limits is reached, and returns how many messages were printed. */
    long run(DestinationDescribed log, long most, long silenceMs) throws InterruptedException {
        left = most;
        long[] next = new long[log.partitions().size()];
        long lastNs = time.nanoTime();
        CountDownLatch never = new CountDownLatch(1);
        while (left > 0) {
            long before = left;
            for (int partition = 0; partition < next.length && left > 0; partition++) {
                next[partition] = printFrom(log, partition, next[partition]);
            }
            printer.flush();
            if (left < before) {
                lastNs = time.nanoTime();
            } else if (TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - lastNs) >= silenceMs
                    || never.await(Math.min(ASK_AGAIN_MS, silenceMs), TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        return most - left;
    }

    /** Prints a partition to its end, and returns where that is. */
    private long printFrom(DestinationDescribed log, int partition, long offset) {
        RecordOrigin origin = new RecordOrigin(log.logId(), partition, BodyDefault.TEXT);
        long next = offset;
        while (left > 0) {
            LogRead read = admin.readLog(log.logId(), partition, next, READ_BYTES);
            if (!read.payload().hasRemaining()) {
                return Math.max(next, read.logStart());
            }
            RecordBatches batches = RecordBatches.over(read.payload());
            while (left > 0 && batches.next()) {
                if (!batches.current().isControl()) {
                    print(batches, origin, next);
                }
                next = Math.max(next, batches.current().nextOffset());
            }
        }
        return next;
    }

    private void print(RecordBatches batches, RecordOrigin origin, long from) {
        try (RecordCursor records = batches.current().records()) {
            while (left > 0 && records.next()) {
                if (records.offset() >= from) {
                    printer.print(MessageRecords.read(records, origin));
                    left--;
                }
            }
        }
    }
}
