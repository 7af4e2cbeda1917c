package io.millrace.coordinator.quorum;

import java.util.Objects;

/**
 * The state machine's whole state at one place of the log, as records that rebuild it from nothing. It stands in for the log before that
 * place, which can then be removed.
 *
 * @param end what the state contains: everything before this place, which has to be the end of a committed batch
 * @param appendTimeMs {@link CommittedBatch#appendTimeMs()} of the last batch contained
 * @param records the state; iterated once, possibly on another thread and later, so it has to be immutable underneath
 */
public record QuorumSnapshot(LogPoint end, long appendTimeMs, Iterable<byte[]> records) {

    public QuorumSnapshot {
        Objects.requireNonNull(end, "end");
        Objects.requireNonNull(records, "records");
    }
}
