package io.millrace.broker.internal.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The connections to a broker. What is on its way on different ones arrives in any order. */
final class Links {

    private final List<Link> all = new ArrayList<>();

    void add(Link link) {
        all.add(link);
    }

    Optional<Link> pick(RandomGenerator random) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    /** Has one thing arrive somewhere; returns whether anything was on its way. */
    boolean deliver(RandomGenerator random) {
        List<Link> busy = all.stream().filter(Link::hasSomething).toList();
        if (!busy.isEmpty()) {
            busy.get(random.nextInt(busy.size())).deliver(random.nextBoolean());
        }
        all.removeIf(Link::isOver);
        return !busy.isEmpty();
    }

    /** The broker is gone. */
    void drop() {
        List<Link> lost = List.copyOf(all);
        all.clear();
        lost.forEach(Link::drop);
    }
}
