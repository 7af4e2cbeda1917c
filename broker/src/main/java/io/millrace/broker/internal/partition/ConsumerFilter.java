package io.millrace.broker.internal.partition;

import io.millrace.coordinator.selector.Selector;

/**
 * What a consumer wants of the records of its cursor.
 *
 * @param selector which messages
 * @param exclusive whether what it refuses is taken out of the cursor, which has no consumers that want anything else; else it stays for them
 */
public record ConsumerFilter(Selector selector, boolean exclusive) {}
