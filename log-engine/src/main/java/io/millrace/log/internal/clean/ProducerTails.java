package io.millrace.log.internal.clean;

import io.millrace.log.internal.clean.CleanableLog.LastBatch;
import io.millrace.wire.record.RecordBatch;
import java.util.Map;

/**
 * Tells which batches are the last ones of their producers: they stay, if empty, so that the next one is recognized.
 *
 * @param lastBatches by producer
 */
record ProducerTails(Map<Long, LastBatch> lastBatches) {
    boolean contains(RecordBatch batch) {
        LastBatch last = batch.hasProducerId() ? lastBatches.get(batch.producerId()) : null;
        if (last == null) {
            return false;
        }
        return last.lastDataOffset().isPresent()
                ? last.lastDataOffset().getAsLong() == batch.lastOffset()
                : batch.isControl() && batch.producerEpoch() == last.epoch();
    }
}
