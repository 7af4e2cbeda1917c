package io.millrace.jms.internal.producer;

import io.millrace.wire.name.DestinationKind;
import java.util.UUID;

/**
 * A partition that is sent to.
 *
 * @param name JMS name of the destination
 * @param kind what it is
 * @param logId identity of its log
 * @param partition 0 or more
 */
public record PartitionAddress(String name, DestinationKind kind, UUID logId, int partition) {}
