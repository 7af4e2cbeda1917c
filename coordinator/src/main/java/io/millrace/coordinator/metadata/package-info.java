/**
 * What is true in the cluster: brokers, logs and their partitions, configuration, durable subscriptions, producer ids. Read
 * {@link io.millrace.coordinator.metadata.ClusterMetadata} first.
 *
 * <p>A command goes to the {@link io.millrace.coordinator.metadata.Controller}, which decides by the state that the command's
 * predecessors will leave behind and turns it into {@link io.millrace.coordinator.metadata.MetadataRecord}s and a response. The records
 * go through the quorum; once committed, {@link io.millrace.coordinator.metadata.MetadataState#replay} applies them, here and at every
 * other broker, the new {@link io.millrace.coordinator.metadata.MetadataImage} is published, and the response is released.
 *
 * <p>One executor, given from outside, runs all of it; images are immutable and may be read from any thread.
 */
@NullMarked
package io.millrace.coordinator.metadata;

import org.jspecify.annotations.NullMarked;
