package io.millrace.coordinator.transaction;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Kafka producer: writes what was acknowledged, and only then ends its transaction. */
final class ProducerClient implements SimulatedClient {

    private final TransactionSimulation simulation;
    private final String id;
    private @Nullable ProducerIdentity identity;
    private @Nullable Trial trial;
    private boolean waiting;
    private boolean failed;
    private boolean retired;
    private int protocol;

    ProducerClient(TransactionSimulation simulation, String id) {
        this.simulation = simulation;
        this.id = id;
    }

    @Override
    public void act() {
        if (waiting) {
            return;
        }
        ProducerIdentity mine = identity;
        if (mine == null || simulation.world.chance(4)) {
            init();
        } else if (trial == null) {
            if (!retired) {
                protocol = simulation.world.random.nextInt(1, 3);
                trial = simulation.begin(id + " " + mine);
                write(mine, trial);
            }
        } else if (!failed && !retired && simulation.world.chance(40)) {
            write(mine, trial);
        } else {
            end(mine, trial, !failed && !retired && simulation.world.random.nextInt(4) > 0);
        }
    }

    private void init() {
        waiting = true;
        trial = null;
        failed = false;
        boolean goesOn = identity != null && simulation.world.chance(30);
        Optional<ProducerIdentity> expected = goesOn ? Optional.ofNullable(identity) : Optional.empty();
        simulation.world.call(
                () -> simulation.coordinator().producers().init(id, 20_000, expected, "user"),
                given -> {
                    simulation.did("init");
                    simulation.world.say(id + " has " + given);
                    identity = given;
                    waiting = false;
                },
                refused -> forget(),
                this::forget);
    }

    private void forget() {
        identity = null;
        trial = null;
        waiting = false;
        failed = false;
    }

    private void write(ProducerIdentity mine, Trial current) {
        waiting = true;
        List<SimulatedParticipant> chosen = simulation.some();
        simulation.world.call(
                () -> simulation.coordinator().producers().add(id, mine, TransactionSimulation.names(chosen), protocol),
                added -> {
                    if (protocol < TransactionOrigin.BUMPS_EPOCH) {
                        // It asks by a request of its own, which is answered when that is durable.
                        simulation.world.call(
                                added::durable,
                                done -> written(mine, current, added, chosen),
                                this::refused,
                                this::lostWrite);
                    } else {
                        written(mine, current, added, chosen);
                    }
                },
                this::refused,
                this::lostWrite);
    }

    private void written(
            ProducerIdentity mine, Trial current, ProducerTransactions.Added added, List<SimulatedParticipant> chosen) {
        for (SimulatedParticipant one : chosen) {
            failed |= !simulation.write(current, mine, one);
        }
        // Acknowledged when both are durable; a crash before that is noticed as a lost answer.
        waitForAcknowledgement(added, chosen, 0);
    }

    private void waitForAcknowledgement(ProducerTransactions.Added added, List<SimulatedParticipant> chosen, int next) {
        if (next == chosen.size()) {
            simulation.world.call(added::durable, done -> waiting = false, this::refused, this::lostWrite);
        } else {
            simulation.world.call(
                    chosen.get(next)::durable,
                    done -> waitForAcknowledgement(added, chosen, next + 1),
                    this::refused,
                    this::lostWrite);
        }
    }

    private void lostWrite() {
        failed = true;
        waiting = false;
    }

    private void refused(TransactionException why) {
        waiting = false;
        if (why.error() == TransactionError.FENCED || why.error() == TransactionError.UNKNOWN) {
            simulation.did("fenced");
            forget();
        } else {
            failed = true;
        }
    }

    private void end(ProducerIdentity mine, Trial current, boolean commit) {
        waiting = true;
        simulation.world.say(current + (commit ? " commits" : " rolls back"));
        simulation.world.call(
                () -> simulation.coordinator().producers().end(id, mine, commit, protocol),
                next -> {
                    simulation.did(commit ? "producer commit" : "producer rollback");
                    current.outcome = commit ? Trial.Outcome.COMMITTED : Trial.Outcome.ROLLED_BACK;
                    simulation.world.say(current.toString());
                    identity = next;
                    trial = null;
                    waiting = false;
                    failed = false;
                },
                refused -> {
                    if (refused.error() == TransactionError.ROLLED_BACK) {
                        current.outcome = Trial.Outcome.ROLLED_BACK;
                    }
                    forget();
                },
                // An application that does not know begins anew.
                this::forget);
    }

    @Override
    public void retire() {
        retired = true;
    }

    @Override
    public void settle() {
        if (!waiting && identity != null && trial != null) {
            act();
        }
    }
}
