package io.millrace.systemtests.verify;

import io.millrace.testkit.history.History;
import io.millrace.testkit.history.Operation;
import io.millrace.testkit.history.Operation.Acknowledged;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Operation.Received;
import io.millrace.testkit.history.Operation.Sent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which confirmed messages have not been received yet. Reads each note once. */
final class Backlog {
    private final History history;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private int read;

    private record Subscription(String name, String destination, Set<String> received, Set<String> missing) {}

    Backlog(History history) {
        this.history = history;
    }

    Backlog subscription(String name, String destination) {
        subscriptions.add(new Subscription(name, destination, new HashSet<>(), new HashSet<>()));
        return this;
    }

    boolean isEmpty() {
        List<Operation> news = history.since(read);
        read += news.size();
        news.forEach(this::note);
        return subscriptions.stream()
                .allMatch(subscription -> subscription.missing().isEmpty());
    }

    /** How many are missing. */
    long size() {
        return isEmpty()
                ? 0
                : subscriptions.stream()
                        .mapToLong(subscription -> subscription.missing().size())
                        .sum();
    }

    private void note(Operation operation) {
        switch (operation) {
            case Sent sent -> {
                if (sent.outcome() == Outcome.CONFIRMED) {
                    noteSent(sent);
                }
            }
            case Received received -> noteReceived(received);
            case Acknowledged acknowledged -> {}
        }
    }

    private void noteSent(Sent sent) {
        for (Subscription subscription : subscriptions) {
            if (subscription.destination().equals(sent.destination())
                    && !subscription.received().contains(sent.id())) {
                subscription.missing().add(sent.id());
            }
        }
    }

    private void noteReceived(Received received) {
        for (Subscription subscription : subscriptions) {
            if (subscription.name().equals(received.subscription())) {
                subscription.received().add(received.id());
                subscription.missing().remove(received.id());
            }
        }
    }
}
