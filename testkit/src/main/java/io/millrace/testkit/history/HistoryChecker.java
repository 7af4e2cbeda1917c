package io.millrace.testkit.history;

import io.millrace.testkit.history.Operation.Acknowledged;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Operation.Received;
import io.millrace.testkit.history.Operation.Sent;
import io.millrace.testkit.history.Verdict.Counts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks a history against the promises of delivery. Takes time linear in the history's length.
 *
 * <p>Each subscription is told with the destination that feeds it and whether one consumer at a time took from it, since
 * only then is order promised. Every subscription must have been drained before the history is checked.
 */
public final class HistoryChecker {
    private record Subscription(String destination, boolean ordered) {}

    private final Map<String, Subscription> subscriptions = new LinkedHashMap<>();

    /** A queue, or a subscription that existed before the first send, from which several consumers took at once. */
    public HistoryChecker shared(String subscription, String destination) {
        subscriptions.put(subscription, new Subscription(destination, false));
        return this;
    }

    /** A queue, or a subscription that existed before the first send, with one consumer at a time. */
    public HistoryChecker exclusive(String subscription, String destination) {
        subscriptions.put(subscription, new Subscription(destination, true));
        return this;
    }

    public Verdict check(List<Operation> history) {
        return new Run(history).verdict();
    }

    private final class Run {
        private final List<Operation> history;
        private final List<Anomaly> anomalies = new ArrayList<>();
        private final Map<String, Sent> sends = new LinkedHashMap<>();
        private final Map<String, Map<String, Integer>> deliveries = new HashMap<>();
        private final Map<String, Map<String, Long>> acknowledgedAt = new HashMap<>();
        private final Map<String, Map<String, Long>> lastSequence = new HashMap<>();
        private final Set<String> seenSomewhere = new HashSet<>();
        private long received;
        private long marked;
        private long redeliveries;
        private long acknowledged;
        private long unacknowledged;

        Run(List<Operation> history) {
            this.history = history;
        }

        Verdict verdict() {
            // A delivery may be noted before the send that caused it returned, so sends are collected first.
            for (Operation operation : history) {
                if (operation instanceof Sent sent) {
                    sends.put(sent.id(), sent);
                }
            }
            for (Operation operation : history) {
                switch (operation) {
                    case Sent sent -> {}
                    case Received delivery -> check(delivery);
                    case Acknowledged acknowledgement -> note(acknowledgement);
                }
            }
            subscriptions.forEach(this::checkNothingLost);
            return new Verdict(
                    anomalies,
                    new Counts(
                            count(Outcome.CONFIRMED),
                            count(Outcome.REFUSED),
                            count(Outcome.UNKNOWN),
                            countSeen(Outcome.UNKNOWN),
                            count(Outcome.UNPROMISED),
                            count(Outcome.UNPROMISED) - countSeen(Outcome.UNPROMISED),
                            received,
                            marked,
                            redeliveries,
                            acknowledged,
                            unacknowledged));
        }

        private long count(Outcome outcome) {
            return sends.values().stream()
                    .filter(sent -> sent.outcome() == outcome)
                    .count();
        }

        private long countSeen(Outcome outcome) {
            return sends.values().stream()
                    .filter(sent -> sent.outcome() == outcome && seenSomewhere.contains(sent.id()))
                    .count();
        }

        private void check(Received delivery) {
            received++;
            if (delivery.redelivered()) {
                marked++;
            }
            String where = delivery.subscription();
            Sent sent = sends.get(delivery.id());
            if (sent == null || sent.outcome() == Outcome.REFUSED) {
                anomaly(
                        Anomaly.Kind.PHANTOM,
                        "%s received %s, which %s"
                                .formatted(where, delivery.id(), sent == null ? "nobody sent" : "was refused"));
                return;
            }
            seenSomewhere.add(delivery.id());
            int times =
                    deliveries.computeIfAbsent(where, key -> new HashMap<>()).merge(delivery.id(), 1, Integer::sum);
            if (times == 1) {
                checkOrder(delivery, sent);
                return;
            }
            redeliveries++;
            if (!delivery.redelivered() || delivery.deliveryCount() < 2) {
                anomaly(
                        Anomaly.Kind.UNMARKED_REDELIVERY,
                        "%s received %s for the %d. time, with JMSRedelivered=%s and count %d"
                                .formatted(
                                        where, delivery.id(), times, delivery.redelivered(), delivery.deliveryCount()));
            }
            Long confirmedNs = acknowledgedAt.getOrDefault(where, Map.of()).get(delivery.id());
            if (confirmedNs != null && delivery.atNs() > confirmedNs) {
                anomaly(
                        Anomaly.Kind.RECEIVED_AFTER_ACKNOWLEDGEMENT,
                        "%s received %s again %d us after its acknowledgement was confirmed"
                                .formatted(where, delivery.id(), (delivery.atNs() - confirmedNs) / 1_000));
            }
        }

        private void checkOrder(Received delivery, Sent sent) {
            Subscription subscription = subscriptions.get(delivery.subscription());
            if (subscription == null || !subscription.ordered()) {
                return;
            }
            Map<String, Long> last = lastSequence.computeIfAbsent(delivery.subscription(), key -> new HashMap<>());
            Long before = last.get(sent.producer());
            if (before != null && sent.sequence() < before) {
                anomaly(
                        Anomaly.Kind.OUT_OF_ORDER,
                        "%s received number %d of producer %s after number %d"
                                .formatted(delivery.subscription(), sent.sequence(), sent.producer(), before));
            } else {
                last.put(sent.producer(), sent.sequence());
            }
        }

        private void note(Acknowledged acknowledgement) {
            if (acknowledgement.outcome() != Outcome.CONFIRMED) {
                unacknowledged++;
            } else {
                acknowledged++;
                acknowledgedAt
                        .computeIfAbsent(acknowledgement.subscription(), key -> new HashMap<>())
                        .putIfAbsent(acknowledgement.id(), acknowledgement.endNs());
            }
        }

        private void checkNothingLost(String name, Subscription subscription) {
            Map<String, Integer> there = deliveries.getOrDefault(name, Map.of());
            for (Sent sent : sends.values()) {
                boolean due = sent.outcome() == Outcome.CONFIRMED
                        && sent.destination().equals(subscription.destination());
                if (due && !there.containsKey(sent.id())) {
                    anomaly(
                            Anomaly.Kind.LOST,
                            "%s never received %s (number %d of producer %s), whose send was confirmed"
                                    .formatted(name, sent.id(), sent.sequence(), sent.producer()));
                }
            }
        }

        private void anomaly(Anomaly.Kind kind, String description) {
            anomalies.add(new Anomaly(kind, description));
        }
    }
}
