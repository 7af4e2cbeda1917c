package io.millrace.wire.frame;

import java.util.Objects;

/**
 * One transaction in a list.
 *
 * @param id under which it is kept: a transactional id, {@code jms:<session>:<slot>}, or {@code xa:<format id>:<global transaction
 *     id>:<branch qualifier>} with the last two in hexadecimal
 * @param door through which it came
 * @param status where it is
 * @param ageMs since it began, -1 if it has not
 * @param user who began it
 * @param participants logs of partitions that take part
 */
public record TransactionSummary(
        String id, TransactionDoor door, TransactionStatus status, long ageMs, String user, int participants) {

    /** So long a transactional id may be in Kafka's protocol; all others are shorter. */
    public static final int MAX_ID_CHARS = Short.MAX_VALUE;

    /** Checks the ranges. */
    public TransactionSummary {
        checkId(id);
        Objects.requireNonNull(door, "door");
        Objects.requireNonNull(status, "status");
        FieldChecks.atLeast(-1, ageMs, "ageMs");
        Objects.requireNonNull(user, "user");
        FieldChecks.atLeast(0, participants, "participants");
    }

    static void checkId(String id) {
        FieldChecks.require(
                id.length() <= MAX_ID_CHARS,
                "id",
                "must have at most " + MAX_ID_CHARS + " characters, has " + id.length());
    }

    static TransactionSummary read(FieldReader in) {
        return new TransactionSummary(
                in.string("id"),
                TransactionDoor.fromId(in, "door"),
                TransactionStatus.fromId(in, "status"),
                in.i64("ageMs"),
                in.string("user"),
                in.i32("participants"));
    }

    static void write(FieldWriter out, TransactionSummary item) {
        out.string(item.id);
        out.u8(item.door.id());
        out.u8(item.status.id());
        out.i64(item.ageMs);
        out.string(item.user);
        out.i32(item.participants);
    }
}
