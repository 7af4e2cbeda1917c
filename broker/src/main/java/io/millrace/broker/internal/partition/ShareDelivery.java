package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.Grant;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Records that were lent to a member of a share group.
 *
 * @param batches whole batches that hold them, and maybe others
 * @param grants which ones are lent, and how often each was delivered; empty if there was nothing to lend
 */
public record ShareDelivery(ByteBuffer batches, List<Grant> grants) {

    static final ShareDelivery NOTHING = new ShareDelivery(ByteBuffer.allocate(0), List.of());

    public ShareDelivery {
        grants = List.copyOf(grants);
    }
}
