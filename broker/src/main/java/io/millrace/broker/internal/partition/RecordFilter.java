package io.millrace.broker.internal.partition;

import io.millrace.wire.record.RecordCursor;

/** Decides about records of a batch, in their order. */
@FunctionalInterface
interface RecordFilter {

    /** What is to happen with a record. */
    enum Verdict {
        TAKE,
        /** It is left out. */
        REFUSE,
        /** Neither it nor anything behind it can be taken now. */
        STOP
    }

    /** Returns what is to happen with the record that a cursor is on. */
    Verdict look(RecordCursor record);
}
