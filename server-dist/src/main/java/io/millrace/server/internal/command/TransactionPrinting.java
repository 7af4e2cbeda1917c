package io.millrace.server.internal.command;

import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.TransactionDescribed;
import io.millrace.wire.frame.TransactionDoor;
import io.millrace.wire.frame.TransactionParticipant;
import io.millrace.wire.frame.TransactionSummary;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Transactions for people, and for programs. */
final class TransactionPrinting {

    private TransactionPrinting() {}

    // ---- for programs ---------------------------------------------------------------------------------------------

    static Map<String, Object> document(TransactionSummary one) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", one.id());
        fields.put("kind", one.door().word());
        fields.put("state", one.status().word());
        if (one.ageMs() >= 0) {
            fields.put("ageMs", one.ageMs());
        }
        fields.put("user", one.user());
        fields.put("participants", one.participants());
        TransactionId.of(one.id()).branch().ifPresent(branch -> {
            Map<String, Object> xid = new LinkedHashMap<>();
            xid.put("formatId", branch.formatId());
            xid.put("globalTransactionId", branch.globalTransactionId());
            xid.put("branchQualifier", branch.branchQualifier());
            branch.node().ifPresent(node -> xid.put("node", node));
            fields.put("xid", xid);
        });
        return fields;
    }

    static Map<String, Object> document(TransactionDescribed one) {
        Map<String, Object> fields = document(one.summary());
        fields.put("stateAgeMs", one.statusAgeMs());
        if (one.timeoutMs() >= 0) {
            fields.put("timeoutMs", one.timeoutMs());
        }
        fields.put("decidedByOperator", one.byOperator());
        fields.put("producerId", one.transaction().producerId());
        fields.put("producerEpoch", one.transaction().epoch());
        fields.put("sessions", one.sessions());
        fields.put(
                "participants",
                one.participants().stream().map(TransactionPrinting::document).toList());
        return fields;
    }

    private static Map<String, Object> document(TransactionParticipant one) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("log", one.log());
        fields.put("partition", one.partition());
        fields.put("part", one.cursors() ? "cursors" : "data");
        fields.put("has", one.standing().word());
        if (one.firstOffset() >= 0) {
            fields.put("firstOffset", one.firstOffset());
        }
        return fields;
    }

    // ---- for people -----------------------------------------------------------------------------------------------

    static void print(PrintWriter out, TransactionDescribed one) {
        TransactionSummary summary = one.summary();
        TransactionId id = TransactionId.of(summary.id());
        out.println(id.shown());
        id.branch().ifPresent(branch -> xid(out, branch));
        line(out, "kind", kind(summary.door()));
        line(out, "state", summary.status().word() + " for " + age(one.statusAgeMs()) + ": " + meaning(one));
        if (summary.ageMs() >= 0) {
            line(out, "begun", age(summary.ageMs()) + " ago");
        }
        line(out, "user", user(summary));
        one.sessions().forEach(session -> line(out, "at work", TransactionId.printable(session)));
        if (one.timeoutMs() >= 0) {
            line(out, "timeout", age(one.timeoutMs()));
        }
        line(
                out,
                "producer",
                one.transaction().producerId() + " epoch " + one.transaction().epoch());
        for (TransactionParticipant participant : one.participants()) {
            out.printf("  %s-%d  %s%n", participant.log(), participant.partition(), has(participant));
        }
    }

    private static void xid(PrintWriter out, BranchId branch) {
        line(out, "format id", branch.formatId() + "");
        line(out, "global id", part(branch.globalTransactionId()));
        if (!branch.globalTransactionId().isEmpty()) {
            line(out, "", base64(branch.globalTransactionId()) + " in Base64, as in the gid of PostgreSQL");
        }
        line(out, "branch", part(branch.branchQualifier()));
        branch.node().ifPresent(node -> line(out, "node", node + " (of Narayana)"));
    }

    private static String base64(String hex) {
        return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
    }

    private static String part(String hex) {
        return hex.isEmpty()
                ? "empty"
                : hex + BranchId.textOf(hex).map(text -> " (" + text + ")").orElse("");
    }

    private static void line(PrintWriter out, String name, String value) {
        out.printf("  %-10s %s%n", name, value);
    }

    private static String kind(TransactionDoor door) {
        return switch (door) {
            case KAFKA -> "transactional id of a Kafka producer";
            case JMS -> "transacted JMS session";
            case XA -> "branch of a distributed transaction (XA)";
        };
    }

    private static String meaning(TransactionDescribed one) {
        return switch (one.summary().status()) {
            case EMPTY -> "nothing is open";
            case ONGOING ->
                one.summary().door() == TransactionDoor.XA ? "it is not prepared" : "its program has not ended it";
            case PREPARED -> "its transaction manager decides, or an operator";
            case PREPARE_COMMIT -> "committed; partitions are being told";
            case PREPARE_ABORT -> "rolled back; partitions are being told";
            case COMPLETE_COMMIT -> "the last one was committed";
            case COMPLETE_ABORT -> "the last one was rolled back";
            case HEURISTIC_COMMIT -> "committed by an operator, and not forgotten yet";
            case HEURISTIC_ROLLBACK -> "rolled back by an operator, and not forgotten yet";
        };
    }

    private static String has(TransactionParticipant participant) {
        String what = participant.cursors() ? "acknowledgements" : "messages";
        return switch (participant.standing()) {
            case OPEN ->
                what + " that are undecided"
                        + (participant.firstOffset() < 0 ? "" : ", from offset " + participant.firstOffset());
            case NOTHING -> "no " + what + " that are undecided";
            case UNKNOWN -> what + ", but it cannot be asked at present";
        };
    }

    static String user(TransactionSummary one) {
        return one.user().isEmpty() ? "-" : TransactionId.printable(one.user());
    }

    /** Returns the two largest units of a time. */
    static String age(long ms) {
        Duration duration = Duration.ofMillis(ms);
        if (duration.toDays() > 0) {
            return duration.toDays() + "d " + duration.toHoursPart() + "h";
        }
        if (duration.toHours() > 0) {
            return duration.toHours() + "h " + duration.toMinutesPart() + "m";
        }
        if (duration.toMinutes() > 0) {
            return duration.toMinutes() + "m " + duration.toSecondsPart() + "s";
        }
        return String.format(Locale.ROOT, "%.1fs", ms / 1000.0);
    }

    static Optional<String> age(TransactionSummary one) {
        return one.ageMs() < 0 ? Optional.empty() : Optional.of(age(one.ageMs()));
    }
}
