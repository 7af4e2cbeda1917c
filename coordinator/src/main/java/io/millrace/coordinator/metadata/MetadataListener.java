package io.millrace.coordinator.metadata;

import java.util.List;

/**
 * Wants to know when the metadata changed, as a broker that opens and removes partitions. Called on the metadata's executor, in the order
 * of the log; an exception is a fault of the metadata.
 */
public interface MetadataListener {

    /**
     * Records were committed and are in the new image.
     *
     * @param before the image until now
     * @param after the image from now on
     * @param records what leads from the one to the other, in order
     */
    void onCommitted(MetadataImage before, MetadataImage after, List<MetadataRecord> records);

    /**
     * The whole state was replaced, at the start or because this broker was far behind: there are no single records. Compare the images.
     *
     * @param before the image until now
     * @param after the image from now on
     */
    void onReset(MetadataImage before, MetadataImage after);
}
