package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataRecord.OperationRecorded;
import java.util.Optional;
import java.util.UUID;

/**
 * The last {@value #MAX_REMEMBERED} commands that took effect, oldest forgotten first: enough for a requester that repeats a command
 * whose fate it does not know, which it does within seconds. Immutable; changed copies share the rest.
 */
record OperationsImage(
        PersistentMap<UUID, OperationRecorded> byId, PersistentMap<Long, OperationRecorded> byAge, long nextAge) {

    static final int MAX_REMEMBERED = 4_096;

    static final OperationsImage EMPTY = new OperationsImage(PersistentMap.empty(), PersistentMap.empty(), 0);

    Optional<OperationRecorded> find(UUID operationId) {
        return byId.get(operationId);
    }

    OperationsImage recorded(OperationRecorded operation) {
        InconsistentMetadataException.check(
                !byId.containsKey(operation.operationId()), "operation " + operation.operationId() + " was done twice");
        OperationsImage all = new OperationsImage(
                byId.with(operation.operationId(), operation), byAge.with(nextAge, operation), nextAge + 1);
        return all.byId.size() > MAX_REMEMBERED ? all.withoutOldest() : all;
    }

    private OperationsImage withoutOldest() {
        long oldestAge = byAge.firstKey().orElseThrow();
        OperationRecorded oldest = byAge.get(oldestAge).orElseThrow();
        return new OperationsImage(byId.without(oldest.operationId()), byAge.without(oldestAge), nextAge);
    }
}
