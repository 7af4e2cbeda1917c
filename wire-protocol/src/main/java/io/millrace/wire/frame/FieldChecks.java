package io.millrace.wire.frame;

/** Range checks of frame records, in one wording. */
final class FieldChecks {

    private FieldChecks() {}

    static void atLeast(long minimum, long value, String field) {
        if (value < minimum) {
            throw new InvalidFieldException(field, "must be at least " + minimum + ", is " + value);
        }
    }

    static void require(boolean holds, String field, String rule) {
        if (!holds) {
            throw new InvalidFieldException(field, rule);
        }
    }
}
