package io.millrace.coordinator.transaction;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transacted JMS session: does not wait for its writes, and asks again how a commit ended whose answer was lost. */
final class SessionClient implements SimulatedClient {

    private final TransactionSimulation simulation;
    private final int number;
    private int incarnation;
    private String id;
    private @Nullable ProducerIdentity identity;
    private @Nullable Trial trial;
    private boolean waiting;
    private boolean endLost;
    private boolean lostCommit;
    private boolean lostSession;
    private boolean retired;

    SessionClient(TransactionSimulation simulation, int number) {
        this.simulation = simulation;
        this.number = number;
        this.id = "jms:" + number + ":0";
    }

    @Override
    public void act() {
        if (waiting) {
            return;
        }
        ProducerIdentity mine = identity;
        Trial current = trial;
        if (mine == null) {
            if (!retired) {
                open();
            }
        } else if (endLost && current != null) {
            end(mine, current, lostCommit);
        } else if (lostSession) {
            close();
        } else if (current == null) {
            if (retired || simulation.world.chance(5)) {
                close();
            } else {
                trial = simulation.begin(id + " " + mine);
                write(mine, trial);
            }
        } else if (!retired && simulation.world.chance(30)) {
            write(mine, current);
        } else {
            end(mine, current, !retired && simulation.world.random.nextInt(4) > 0);
        }
    }

    private void open() {
        waiting = true;
        id = "jms:" + number + ":" + incarnation++;
        simulation.world.call(
                () -> simulation.coordinator().sessions().open(id, "user"),
                given -> {
                    identity = given;
                    waiting = false;
                },
                refused -> waiting = false,
                () -> waiting = false);
    }

    private void write(ProducerIdentity mine, Trial current) {
        waiting = true;
        List<SimulatedParticipant> chosen = simulation.some();
        simulation.world.call(
                () -> simulation.coordinator().sessions().add(id, mine, TransactionSimulation.names(chosen)),
                added -> {
                    waiting = false;
                    for (SimulatedParticipant one : chosen) {
                        lostSession |= !simulation.write(current, mine, one);
                    }
                },
                refused -> onLost(),
                this::onLost);
    }

    private void onLost() {
        waiting = false;
        lostSession = true;
    }

    private void end(ProducerIdentity mine, Trial current, boolean commit) {
        waiting = true;
        simulation.world.say(current + (commit ? " commits" : " rolls back") + (endLost ? " again" : ""));
        simulation.world.call(
                () -> simulation.coordinator().sessions().end(id, mine, commit),
                next -> ended(current, commit ? Trial.Outcome.COMMITTED : Trial.Outcome.ROLLED_BACK, next),
                refused -> {
                    if (refused.error() == TransactionError.ROLLED_BACK) {
                        simulation.did("session told of rollback");
                        ended(current, Trial.Outcome.ROLLED_BACK, mine);
                        lostSession = true;
                    } else {
                        waiting = false;
                        endLost = true;
                        lostCommit = commit;
                    }
                },
                () -> {
                    simulation.did("session asks again");
                    waiting = false;
                    endLost = true;
                    lostCommit = commit;
                });
    }

    private void ended(Trial current, Trial.Outcome outcome, ProducerIdentity next) {
        simulation.did("session " + outcome);
        current.outcome = outcome;
        simulation.world.say(current.toString());
        identity = next;
        trial = null;
        endLost = false;
        waiting = false;
    }

    /** What is open when a session is lost, the broker rolls back. */
    private void close() {
        waiting = true;
        Trial current = trial;
        simulation.world.call(
                () -> simulation.coordinator().sessions().close(id),
                done -> {
                    if (current != null) {
                        current.outcome = Trial.Outcome.ROLLED_BACK;
                    }
                    forget();
                },
                refused -> waiting = false,
                () -> waiting = false);
    }

    private void forget() {
        waiting = false;
        identity = null;
        trial = null;
        lostSession = false;
        endLost = false;
    }

    @Override
    public void retire() {
        retired = true;
    }

    @Override
    public void settle() {
        if (identity != null) {
            act();
        }
    }
}
