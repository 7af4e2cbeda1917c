package io.millrace.coordinator.transaction;

import io.millrace.coordinator.transaction.BranchTransactions.Vote;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An application with a transaction manager that never crashes itself, and recovers as one has to. */
final class BranchClient implements SimulatedClient {

    private enum Step {
        START,
        WORK,
        LEAVE,
        PREPARE,
        COMMIT,
        COMMIT_ONE_PHASE,
        ROLL_BACK,
        /** Asked to commit in one phase, and never answered: nobody can know. */
        FORGET
    }

    private static final String USER = "user";

    private final TransactionSimulation simulation;
    private final int number;
    private int next;
    private Step step = Step.START;
    private Xid xid;
    private final UUID session;
    private @Nullable ProducerIdentity identity;
    private @Nullable Trial trial;
    private boolean waiting;
    private boolean retired;

    BranchClient(TransactionSimulation simulation, int number) {
        this.simulation = simulation;
        this.number = number;
        this.session = new UUID(0, number);
        this.xid = newXid();
    }

    private Xid newXid() {
        return Xid.of(131_077, new byte[] {(byte) number}, new byte[] {(byte) (next >> 8), (byte) next++});
    }

    private BranchTransactions branches() {
        return simulation.coordinator().branches();
    }

    @Override
    public void act() {
        if (waiting) {
            return;
        }
        switch (step) {
            case START -> {
                if (!retired) {
                    start();
                }
            }
            case WORK -> work();
            case LEAVE ->
                call(() -> branches().leave(xid, session, USER, true), done -> step = afterWork(), Step.ROLL_BACK);
            case PREPARE -> prepare();
            case COMMIT -> commit();
            case COMMIT_ONE_PHASE ->
                call(() -> branches().commit(xid, USER, true), done -> ended(Trial.Outcome.COMMITTED), Step.FORGET);
            case ROLL_BACK -> rollBack(Trial.Outcome.ROLLED_BACK);
            case FORGET -> rollBack(Trial.Outcome.UNKNOWN);
        }
    }

    /** What is refused, or never answered, leads to another step. */
    private <T> void call(Supplier<CompletionStage<T>> what, Consumer<T> done, Step otherwise) {
        waiting = true;
        simulation.world.call(
                what,
                answer -> {
                    waiting = false;
                    done.accept(answer);
                },
                refused -> {
                    waiting = false;
                    step = refused.error() == TransactionError.ROLLED_BACK && step != Step.COMMIT
                            ? Step.ROLL_BACK
                            : otherwise;
                },
                () -> {
                    waiting = false;
                    step = otherwise;
                });
    }

    private void start() {
        xid = newXid();
        trial = simulation.begin(xid.toString());
        call(
                () -> branches().start(xid, session, USER, 20_000),
                given -> {
                    identity = given;
                    step = Step.WORK;
                },
                Step.ROLL_BACK);
    }

    private void work() {
        ProducerIdentity mine = Objects.requireNonNull(identity);
        Trial current = Objects.requireNonNull(trial);
        List<SimulatedParticipant> chosen = simulation.some();
        call(
                () -> branches().add(xid, mine, TransactionSimulation.names(chosen)),
                added -> {
                    boolean all = true;
                    for (SimulatedParticipant one : chosen) {
                        all &= simulation.write(current, mine, one);
                    }
                    step = !all ? Step.ROLL_BACK : simulation.world.chance(30) ? Step.WORK : Step.LEAVE;
                },
                Step.ROLL_BACK);
    }

    private Step afterWork() {
        int chance = simulation.world.random.nextInt(10);
        return chance < 2 ? Step.ROLL_BACK : chance < 4 ? Step.COMMIT_ONE_PHASE : Step.PREPARE;
    }

    private void prepare() {
        call(
                () -> branches().prepare(xid, USER),
                vote -> {
                    simulation.did("prepared");
                    if (vote == Vote.READ_ONLY) {
                        ended(Trial.Outcome.UNKNOWN);
                    } else {
                        step = simulation.world.chance(15) ? Step.ROLL_BACK : Step.COMMIT;
                        simulation.world.say(xid + " is to " + step);
                    }
                },
                Step.ROLL_BACK);
    }

    /** The decision is taken: it is carried out until the branch is gone, however often that takes. */
    private void commit() {
        if (!branches().recover(USER).contains(xid) && !isUnderWay()) {
            simulation.did("committed before");
            ended(Trial.Outcome.COMMITTED);
            return;
        }
        call(() -> branches().commit(xid, USER, false), done -> ended(Trial.Outcome.COMMITTED), Step.COMMIT);
    }

    private boolean isUnderWay() {
        return simulation.coordinator().find(BranchTransactions.idOf(xid)).isPresent();
    }

    private void rollBack(Trial.Outcome told) {
        waiting = true;
        branches().onSessionGone(xid, session);
        simulation.world.call(
                () -> branches().rollback(xid, USER),
                done -> {
                    waiting = false;
                    ended(told);
                },
                refused -> {
                    waiting = false;
                    if (refused.error() == TransactionError.UNKNOWN) {
                        ended(told);
                    }
                },
                () -> waiting = false);
    }

    private void ended(Trial.Outcome outcome) {
        simulation.did("branch " + outcome);
        Trial current = Objects.requireNonNull(trial);
        current.outcome = outcome;
        simulation.world.say(current.toString());
        identity = null;
        trial = null;
        step = Step.START;
    }

    @Override
    public void retire() {
        retired = true;
    }

    @Override
    public void settle() {
        if (step == Step.WORK || step == Step.LEAVE) {
            step = waiting ? step : Step.ROLL_BACK;
        }
        if (step != Step.START) {
            act();
        }
    }
}
