package io.millrace.testkit.history;

import io.millrace.testkit.history.Operation.Acknowledged;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Operation.Received;
import io.millrace.testkit.history.Operation.Sent;

/** An operation as a line of text, in which a client in a process of its own tells it. Names and ids have no blanks. */
public final class OperationLine {
    private static final String SENT = "sent";
    private static final String RECEIVED = "received";
    private static final String ACKNOWLEDGED = "acknowledged";

    private OperationLine() {}

    public static String of(Operation operation) {
        return switch (operation) {
            case Sent sent ->
                line(
                        SENT,
                        sent.destination(),
                        sent.id(),
                        sent.producer(),
                        sent.sequence(),
                        sent.outcome(),
                        sent.endNs());
            case Received received ->
                line(
                        RECEIVED,
                        received.subscription(),
                        received.id(),
                        received.redelivered(),
                        received.deliveryCount(),
                        received.atNs());
            case Acknowledged acknowledged ->
                line(
                        ACKNOWLEDGED,
                        acknowledged.subscription(),
                        acknowledged.id(),
                        acknowledged.outcome(),
                        acknowledged.endNs());
        };
    }

    private static String line(Object... fields) {
        StringBuilder line = new StringBuilder();
        for (Object field : fields) {
            String text = field.toString();
            if (text.isEmpty() || text.chars().anyMatch(Character::isWhitespace)) {
                throw new IllegalArgumentException("'" + text + "' cannot stand in a line of fields");
            }
            line.append(line.isEmpty() ? "" : " ").append(text);
        }
        return line.toString();
    }

    /** The operation that a line tells of; throws {@link IllegalArgumentException} if it is no such line. */
    public static Operation parse(String line) {
        String[] fields = line.split(" ", -1);
        return switch (fields[0] + "/" + fields.length) {
            case SENT + "/7" ->
                new Sent(
                        fields[1],
                        fields[2],
                        fields[3],
                        Long.parseLong(fields[4]),
                        Outcome.valueOf(fields[5]),
                        Long.parseLong(fields[6]));
            case RECEIVED + "/6" ->
                new Received(
                        fields[1],
                        fields[2],
                        Boolean.parseBoolean(fields[3]),
                        Integer.parseInt(fields[4]),
                        Long.parseLong(fields[5]));
            case ACKNOWLEDGED + "/5" ->
                new Acknowledged(fields[1], fields[2], Outcome.valueOf(fields[3]), Long.parseLong(fields[4]));
            default -> throw new IllegalArgumentException("no operation: '" + line + "'");
        };
    }
}
