package io.millrace.broker.internal.simulation;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BranchEnd;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.BranchPrepared;
import io.millrace.wire.frame.BranchStart;
import io.millrace.wire.frame.BranchStarted;
import io.millrace.wire.frame.BranchesRecovered;
import io.millrace.wire.frame.CommitBranch;
import io.millrace.wire.frame.EndBranch;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.PrepareBranch;
import io.millrace.wire.frame.RecoverBranches;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.RollbackBranch;
import io.millrace.wire.frame.StartBranch;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An XA session with a transaction manager that never crashes itself, and recovers as one has to: it commits only what was promised, and then
 * until that is done.
 */
final class BranchWorker extends NativeClient {

    private enum Step {
        START,
        WORK,
        PREPARE,
        /** Promised, and decided by the transaction manager. */
        COMMIT,
        COMMIT_ONE_PHASE,
        ROLL_BACK
    }

    private final int number;
    private int branches;
    private BranchId branch;
    private Step step = Step.START;
    private @Nullable Trial trial;
    private @Nullable Work work;
    private boolean waiting;
    /** Whether the session works on the branch, as far as it knows. */
    private boolean working;
    /** Whether a commit was asked for of which nothing was heard. */
    private boolean unanswered;
    /** Whether it may be that an earlier one was done. */
    private boolean maybeDone;

    BranchWorker(SimulatedWorld world, int number) {
        super(world, "branch worker " + number);
        this.number = number;
        this.branch = nextBranch();
    }

    private BranchId nextBranch() {
        return new BranchId(131_077, "%02x".formatted(number), "%08x".formatted(branches++));
    }

    @Override
    public void act() {
        if (!isUp() || waiting) {
            return;
        }
        switch (step) {
            case START -> start();
            case WORK -> goOn(Objects.requireNonNull(work));
            case PREPARE -> prepare();
            case COMMIT -> commit();
            case COMMIT_ONE_PHASE -> commitInOnePhase();
            case ROLL_BACK -> rollBack();
        }
    }

    private void call(IntFunction<RequestFrame> request, Consumer<AnswerFrame> onAnswer, Consumer<Failure> onFailure) {
        waiting = true;
        ask(
                request,
                answer -> {
                    waiting = false;
                    onAnswer.accept(answer);
                },
                refused -> {
                    waiting = false;
                    world.say(trial + " at " + step + " hears " + refused.code() + " " + refused.message());
                    onFailure.accept(refused);
                });
    }

    private Trial current() {
        return Objects.requireNonNull(trial);
    }

    private void start() {
        branch = nextBranch();
        unanswered = false;
        maybeDone = false;
        Trial begun = world.ledger.begin(name);
        trial = begun;
        // If the answer gets lost there may be a branch.
        step = Step.ROLL_BACK;
        working = true;
        call(
                corr -> new StartBranch(corr, SESSION, branch, BranchStart.NEW, 20_000),
                started -> {
                    Work given = new Work(begun, ((BranchStarted) started).transaction());
                    work = given;
                    step = Step.WORK;
                    send(given);
                },
                refused -> working = false);
    }

    private void goOn(Work given) {
        int dice = world.random.nextInt(100);
        if (dice < 35) {
            send(given);
        } else if (dice < 75) {
            acknowledge(given);
        } else {
            end();
        }
    }

    private void end() {
        Work given = Objects.requireNonNull(work);
        call(
                corr -> new EndBranch(corr, SESSION, branch, BranchEnd.SUCCESS),
                done -> {
                    working = false;
                    // The application heard of what failed before this answer.
                    int dice = world.random.nextInt(10);
                    step = given.failed || dice < 2 ? Step.ROLL_BACK : dice < 4 ? Step.COMMIT_ONE_PHASE : Step.PREPARE;
                },
                refused -> {
                    working = false;
                    step = Step.ROLL_BACK;
                });
        step = Step.ROLL_BACK;
    }

    private void prepare() {
        step = Step.ROLL_BACK;
        world.onEnd();
        call(
                corr -> new PrepareBranch(corr, branch),
                vote -> {
                    SimulatedWorld.check(!((BranchPrepared) vote).readOnly(), trial + " did something");
                    world.did("prepared");
                    if (!world.chance(15)) {
                        step = Step.COMMIT;
                        current().commitAsked = true;
                    }
                    world.say(trial + " is prepared, and is to " + step);
                },
                refused -> {});
    }

    private void commit() {
        if (unanswered) {
            recover();
            return;
        }
        boolean before = maybeDone;
        unanswered = true;
        maybeDone = true;
        world.onEnd();
        call(corr -> new CommitBranch(corr, branch, false), done -> ended(Trial.Outcome.COMMITTED), refused -> {
            switch (refused.code()) {
                case TRANSACTION_IN_DOUBT -> {}
                case TRANSACTION_NOT_AVAILABLE, STORAGE_UNAVAILABLE -> {
                    unanswered = false;
                    maybeDone = before;
                }
                default -> {
                    SimulatedWorld.check(
                            before && refused.code() == ErrorCode.BRANCH_NOT_FOUND,
                            trial + " was promised, and its commit is refused: " + refused.code() + " "
                                    + refused.message());
                    world.did("branch found committed");
                    ended(Trial.Outcome.COMMITTED);
                }
            }
        });
    }

    /** What is not prepared any more was committed, since nobody else decides. */
    private void recover() {
        call(
                RecoverBranches::new,
                listed -> {
                    if (((BranchesRecovered) listed).branches().contains(branch)) {
                        unanswered = false;
                    } else {
                        world.did("branch found committed");
                        ended(Trial.Outcome.COMMITTED);
                    }
                },
                refused -> {});
    }

    private void commitInOnePhase() {
        current().commitAsked = true;
        // Without an answer it is not known; but what can be rolled back is not committed.
        step = Step.ROLL_BACK;
        unanswered = true;
        call(corr -> new CommitBranch(corr, branch, true), done -> ended(Trial.Outcome.COMMITTED), refused -> {
            if (isRolledBack(refused)) {
                current().told(Trial.Outcome.ROLLED_BACK);
                unanswered = false;
            }
        });
    }

    private static boolean isRolledBack(Failure refused) {
        return refused.code() == ErrorCode.TRANSACTION_ROLLED_BACK || refused.code() == ErrorCode.TRANSACTION_TIMED_OUT;
    }

    private void rollBack() {
        if (working) {
            call(
                    corr -> new EndBranch(corr, SESSION, branch, BranchEnd.FAIL),
                    done -> working = false,
                    refused -> working = false);
            return;
        }
        call(corr -> new RollbackBranch(corr, branch), done -> ended(Trial.Outcome.ROLLED_BACK), refused -> {
            if (isRolledBack(refused)) {
                ended(Trial.Outcome.ROLLED_BACK);
            } else if (refused.code() == ErrorCode.BRANCH_NOT_FOUND) {
                ended(unanswered ? Trial.Outcome.UNKNOWN : Trial.Outcome.ROLLED_BACK);
            } else if (refused.code() == ErrorCode.TRANSACTION_STATE) {
                // An earlier connection still works on it.
                cut();
            }
        });
    }

    private void ended(Trial.Outcome outcome) {
        world.did("branch " + outcome);
        current().told(outcome);
        world.onEnd();
        world.say(trial + " is " + outcome);
        trial = null;
        work = null;
        step = Step.START;
    }

    @Override
    void onLost() {
        waiting = false;
        working = false;
        if (step == Step.WORK) {
            step = Step.ROLL_BACK;
        }
    }

    @Override
    public void settle() {
        if (isDone() || waiting) {
            return;
        }
        if (trial == null) {
            waiting = true;
            leave();
            waiting = !hasLeft();
        } else {
            if (step == Step.WORK) {
                step = Step.ROLL_BACK;
            }
            act();
        }
    }

    @Override
    public boolean isDone() {
        return trial == null && hasLeft();
    }
}
