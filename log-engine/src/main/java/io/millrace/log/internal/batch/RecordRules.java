package io.millrace.log.internal.batch;

import io.millrace.log.LogConfig;
import io.millrace.log.TimestampConfig;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordRefusedException;
import io.millrace.wire.record.RecordRefusedException.Reason;
import io.millrace.wire.record.RecordsSummary;
import io.millrace.wire.record.TimestampType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What a log demands of single records of a client: a key, a time near enough. Looks at them only if the log demands something. */
final class RecordRules {
    private RecordRules() {}

    /**
     * Checks the records of a batch that is otherwise fine.
     *
     * @param summary of its records
     * @throws RecordRefusedException if some break a rule
     */
    static void check(RecordBatch batch, RecordsSummary summary, LogConfig config, long nowMs) {
        if (config.cleanup().compacts()) {
            refuse(batch, Reason.NO_KEY, cursor -> !cursor.hasKey(), "give each message a key");
        }
        TimestampConfig times = config.timestamps();
        boolean bounded = times.type() == TimestampType.CREATE_TIME
                && (times.beforeMaxMs() != Long.MAX_VALUE || !times.allows(summary.maxTimestampMs(), nowMs));
        if (bounded) {
            refuse(
                    batch,
                    Reason.TIMESTAMP,
                    cursor -> !times.allows(cursor.timestampMs(), nowMs),
                    "now is " + nowMs + ", and records may be " + times.beforeMaxMs() + " ms older and "
                            + times.afterMaxMs() + " ms newer");
        }
    }

    private static void refuse(RecordBatch batch, Reason reason, Predicate<RecordCursor> broken, String detail) {
        List<Integer> indexes = new ArrayList<>();
        try (RecordCursor cursor = batch.records()) {
            for (int index = 0; cursor.next(); index++) {
                if (broken.test(cursor)) {
                    indexes.add(index);
                }
            }
        }
        if (!indexes.isEmpty()) {
            throw new RecordRefusedException(reason, indexes, detail);
        }
    }
}
