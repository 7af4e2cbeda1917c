package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Carries out the commands of a transcript, and says in words what came of each.
 *
 * <p>Cursors are called {@code queue}, or {@code s1}, {@code s2}... for subscriptions; a consumer {@code 2.1} is number 1 of session 2;
 * a transaction {@code 7.3} is producer id 7 with epoch 3, and ends with epoch 4; an acquisition is {@code #n}, counted over the whole transcript; ranges are like {@code 3-5,9}.
 */
final class CursorTranscript {

    private final List<CursorRecord> log = new ArrayList<>();
    private final Map<Integer, AcquisitionId> acquisitions = new LinkedHashMap<>();
    private CursorLimits limits = CursorLimits.DEFAULT;
    private Optional<PartitionCursors> led = Optional.empty();
    private int safe;
    private long dataEnd;
    private long brokerEpoch;

    /** Returns what a command answers, in lines. */
    List<String> run(String command) {
        String[] words = command.split(" +", -1);
        return switch (words[0]) {
            case "limits" -> {
                limits = new CursorLimits(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                yield List.of();
            }
            case "lead" -> lead(LeaderStart.COMPLETE);
            case "records" -> {
                dataEnd += Long.parseLong(words[1]);
                cursors().onHighWatermark(dataEnd);
                yield List.of("high watermark " + dataEnd);
            }
            case "create" -> List.of(state(cursors().create(id(words[1]), Long.parseLong(words[2]))));
            case "create-in-memory" ->
                List.of(state(cursors().createNonDurable(id(words[1]), Long.parseLong(words[2]))));
            case "delete" -> {
                cursors().delete(id(words[1]));
                yield List.of();
            }
            case "acquire" -> acquire(words[1], cursor(words[2]), Integer.parseInt(words[3]));
            case "ack" -> {
                AcknowledgeResult result =
                        cursor(words[2]).acknowledge(consumer(words[1]), acquisition(words[3]), ranges(words[4]));
                yield List.of(result.acknowledged() + " acknowledged"
                        + (result.refused().isEmpty() ? "" : ", refused " + text(result.refused())));
            }
            case "pend" -> {
                AcknowledgeResult result = cursor(words[2])
                        .acknowledgePending(
                                consumer(words[1]), acquisition(words[3]), ranges(words[4]), transaction(words[5]));
                yield List.of(result.acknowledged() + " pending"
                        + (result.refused().isEmpty() ? "" : ", refused " + text(result.refused())));
            }
            case "commit" -> end(words[1], true);
            case "roll-back" -> end(words[1], false);
            case "undecided" -> {
                long first = dataEnd;
                dataEnd += Long.parseLong(words[2]);
                cursors().undecided().add(Long.parseLong(words[1]), first, dataEnd);
                cursors().onHighWatermark(dataEnd);
                yield List.of("high watermark " + dataEnd);
            }
            case "decide" -> {
                cursors().undecided().decide(Long.parseLong(words[1]), words[2].equals("commit"), 0, dataEnd);
                yield List.of();
            }
            case "decided-candidates" ->
                List.of(text(cursor(words[1]).decidedCandidates(0, Integer.parseInt(words[2]))));
            case "release" -> {
                long returned = cursor(words[2])
                        .release(consumer(words[1]), acquisition(words[3]), ranges(words[4]), words[5].equals("seen"));
                yield List.of(returned + " came back");
            }
            case "session-gone" -> {
                cursors().onSessionGone(new UUID(0, Long.parseLong(words[1])));
                yield List.of();
            }
            case "skip" -> {
                ranges(words[2]).forEach(cursor(words[1])::skip);
                yield List.of();
            }
            case "move" -> {
                cursor(words[1]).moveTo(Long.parseLong(words[2]));
                yield List.of();
            }
            case "candidates" -> List.of(text(cursor(words[1]).candidates(0, Integer.parseInt(words[2]))));
            case "state" -> cursors().cursors().stream().map(this::state).toList();
            case "turn" -> append(cursors().endTurn().records());
            case "image" -> append(cursors().image());
            case "sync" -> {
                safe = log.size();
                cursors().onCursorLogHighWatermark(safe);
                yield List.of("safe up to " + safe + ", data removable below "
                        + cursors().removableBelow().stream()
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining()));
            }
            case "kill" -> lead(LeaderStart.COMPLETE);
            case "power-cut" -> {
                log.subList(safe, log.size()).clear();
                dataEnd = Long.parseLong(words[1]);
                yield lead(LeaderStart.UNCERTAIN);
            }
            default -> throw new IllegalArgumentException("no such command: " + command);
        };
    }

    private List<String> lead(LeaderStart start) {
        PartitionCursors cursors = new PartitionCursors(limits);
        log.forEach(cursors::replay);
        cursors.lead(new LeaderTerm(0, ++brokerEpoch), start, log.size());
        cursors.truncate(dataEnd);
        cursors.onHighWatermark(dataEnd);
        led = Optional.of(cursors);
        List<String> lines = new ArrayList<>(append(cursors.endTurn().records()));
        lines.addAll(run("state"));
        return lines;
    }

    private List<String> end(String name, boolean commit) {
        ProducerIdentity transaction = transaction(name);
        PendingTransactions.Ended ended = cursors().transactions().end(transaction, transaction.bumped(), commit);
        return List.of(ended.wasOpen() ? "ended, " + ended.acknowledged() + " acknowledged" : "nothing to end");
    }

    private static ProducerIdentity transaction(String name) {
        String[] parts = name.split("\\.", -1);
        return new ProducerIdentity(Long.parseLong(parts[0]), Short.parseShort(parts[1]));
    }

    private List<String> acquire(String consumer, Cursor cursor, int max) {
        cursor.attach(consumer(consumer));
        Optional<Acquisition> acquisition = cursor.acquire(consumer(consumer), max);
        if (acquisition.isEmpty()) {
            return List.of("nothing");
        }
        int number = acquisitions.size() + 1;
        acquisitions.put(number, acquisition.get().id());
        return List.of("#" + number + ": "
                + acquisition.get().grants().stream()
                        .map(grant -> new OffsetRange(grant.firstOffset(), grant.endOffset())
                                + (grant.redelivered() ? " redelivered, delivery " + grant.deliveryCount() : "")
                                + (grant.guessed() ? " by a guess" : ""))
                        .collect(Collectors.joining("; ")));
    }

    private List<String> append(List<CursorRecord> records) {
        log.addAll(records);
        cursors().onAppended(log.size());
        return records.isEmpty()
                ? List.of("nothing to write")
                : records.stream().map(record -> "+ " + record).toList();
    }

    private String state(Cursor cursor) {
        return "%s: start %d, next fresh %d, depth %d, acquired %d, acknowledged above start %s"
                .formatted(
                        name(cursor.id()),
                        cursor.earliestNeededOffset(),
                        cursor.nextFreshOffset(),
                        cursor.depth(),
                        cursor.acquired(),
                        text(Ranges.of(cursor.state().acknowledged())));
    }

    private PartitionCursors cursors() {
        return led.orElseThrow();
    }

    private Cursor cursor(String name) {
        return cursors().cursor(id(name)).orElseThrow();
    }

    private AcquisitionId acquisition(String reference) {
        return Optional.ofNullable(acquisitions.get(Integer.parseInt(reference.substring(1))))
                .orElseThrow();
    }

    private static CursorId id(String name) {
        return name.equals("queue") ? CursorId.QUEUE : new CursorId(new UUID(0, Long.parseLong(name.substring(1))));
    }

    private static String name(CursorId id) {
        return id.equals(CursorId.QUEUE) ? "queue" : "s" + id.value().getLeastSignificantBits();
    }

    private static ConsumerKey consumer(String name) {
        String[] parts = name.split("\\.", -1);
        return new ConsumerKey(new UUID(0, Long.parseLong(parts[0])), Integer.parseInt(parts[1]));
    }

    private static List<OffsetRange> ranges(String text) {
        List<OffsetRange> ranges = new ArrayList<>();
        for (String piece : text.split(",", -1)) {
            String[] bounds = piece.split("-", -1);
            ranges.add(new OffsetRange(Long.parseLong(bounds[0]), Long.parseLong(bounds[bounds.length - 1]) + 1));
        }
        return ranges;
    }

    private static String text(List<OffsetRange> ranges) {
        return ranges.isEmpty()
                ? "none"
                : ranges.stream().map(OffsetRange::toString).collect(Collectors.joining(","));
    }
}
