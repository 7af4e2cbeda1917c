package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.BrowseView;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A part of what a queue holds.
 *
 * @param nextOffset where to go on
 * @param endOffset where the browser ends
 * @param runs which records of the batches are meant, ascending
 * @param batches whole batches
 */
public record BrowsedPage(long nextOffset, long endOffset, List<BrowseView.Run> runs, ByteBuffer batches) {

    static BrowsedPage empty(long nextOffset, long endOffset) {
        return new BrowsedPage(nextOffset, endOffset, List.of(), ByteBuffer.allocate(0));
    }
}
