package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.log.LogSlice;
import io.millrace.wire.frame.LogRead;
import io.millrace.wire.frame.ReadLog;
import java.util.concurrent.Executor;

/** Reads stored batches without consuming anything. May read from the disk, so it runs on the I/O executor. */
final class ReadLogHandler implements RequestHandler<ReadLog> {

    /** Most bytes of one answer, except for a single batch that is larger. */
    private static final int MAX_BYTES = 1024 * 1024;

    private final PartitionLookup lookup;
    private final Executor io;

    ReadLogHandler(Partitions partitions, Executor io) {
        this.lookup = new PartitionLookup(partitions);
        this.io = io;
    }

    @Override
    public void handle(ReadLog request, Exchange exchange) {
        Partition partition = lookup.partition(request.logId(), request.partition());
        io.execute(() -> {
            try {
                LogSlice slice = partition.read(request.offset(), Math.min(request.maxBytes(), MAX_BYTES));
                exchange.answer(new LogRead(
                        exchange.corr(),
                        partition.offsets().logStartOffset(),
                        partition.snapshot().highWatermark(),
                        slice.batches()));
            } catch (RuntimeException e) {
                Failures.answer(exchange, e);
            }
        });
    }
}
