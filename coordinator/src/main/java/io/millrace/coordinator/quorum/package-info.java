/**
 * The replicated log of the cluster's metadata: records go in at its leader, and come out in the same order at every member once a
 * majority of the voters has them on disk. Read {@link io.millrace.coordinator.quorum.MetadataQuorum} first.
 *
 * <p>The quorum does not know what the records mean; {@link io.millrace.coordinator.metadata} does. The only package of Millrace that
 * uses Kafka's Raft core, and no type of Kafka appears in its public API.
 *
 * <p>One thread per member runs the protocol, reads and writes the log, and makes the callbacks.
 */
@NullMarked
package io.millrace.coordinator.quorum;

import org.jspecify.annotations.NullMarked;
