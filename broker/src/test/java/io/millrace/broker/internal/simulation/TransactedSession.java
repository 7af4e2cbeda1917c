package io.millrace.broker.internal.simulation;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.EndTransaction;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.OpenTransactions;
import io.millrace.wire.frame.TransactionEnded;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.frame.TransactionsOpened;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transacted JMS session: does not wait for its sends, and asks again how a commit ended whose answer was lost. */
final class TransactedSession extends NativeClient {

    private static final int SLOTS = 2;

    private final List<TransactionIdentity> slots = new ArrayList<>();
    private int slot;
    private @Nullable Work work;
    private boolean waiting;
    /** A commit was asked for, and not answered. */
    private boolean inDoubt;

    TransactedSession(SimulatedWorld world, String name) {
        super(world, name);
    }

    @Override
    public void act() {
        if (!isUp() || waiting) {
            return;
        }
        Work current = work;
        if (inDoubt && current != null) {
            commit(current);
        } else if (slots.isEmpty()) {
            open();
        } else if (current == null) {
            if (world.chance(3)) {
                waiting = true;
                leave();
                return;
            }
            Work begun = new Work(world.ledger.begin(name), slots.get(slot));
            work = begun;
            send(begun);
        } else {
            goOn(current);
        }
    }

    private void goOn(Work current) {
        int dice = world.random.nextInt(100);
        if (dice < 35) {
            send(current);
        } else if (dice < 75) {
            acknowledge(current);
        } else if (dice < 90) {
            commit(current);
        } else {
            rollBack(current);
        }
    }

    private void open() {
        waiting = true;
        ask(
                corr -> new OpenTransactions(corr, SESSION, SLOTS),
                opened -> {
                    waiting = false;
                    slots.addAll(((TransactionsOpened) opened).identities());
                },
                this::cutBecauseOf);
    }

    private void commit(Work current) {
        waiting = true;
        boolean again = inDoubt;
        inDoubt = true;
        current.trial.commitAsked = true;
        world.onEnd();
        world.say(current.trial + " commits" + (again ? " again" : ""));
        ask(
                corr -> new EndTransaction(corr, SESSION, slot, current.identity, true),
                ended -> {
                    world.did("session commit" + (again ? " known later" : ""));
                    SimulatedWorld.check(!current.failed, current.trial + " is committed without a part of it");
                    over(current, Trial.Outcome.COMMITTED, ((TransactionEnded) ended).next());
                },
                refused -> onRefused(current, refused));
    }

    private void onRefused(Work current, Failure refused) {
        world.say(current.trial + " hears " + refused.code() + " " + refused.message());
        waiting = false;
        if (refused.code() == ErrorCode.TRANSACTION_ROLLED_BACK) {
            world.did("session told of rollback");
            giveUp(current, Trial.Outcome.ROLLED_BACK);
        } else if (!world.healed && world.random.nextBoolean()) {
            // An application that does not ask again will never know.
            giveUp(current, Trial.Outcome.UNKNOWN);
        }
    }

    private void rollBack(Work current) {
        waiting = true;
        world.say(current.trial + " rolls back");
        ask(
                corr -> new EndTransaction(corr, SESSION, slot, current.identity, false),
                ended -> {
                    world.did("session rollback");
                    over(current, Trial.Outcome.ROLLED_BACK, ((TransactionEnded) ended).next());
                },
                refused -> {
                    waiting = false;
                    giveUp(current, Trial.Outcome.ROLLED_BACK);
                });
    }

    private void over(Work current, Trial.Outcome outcome, TransactionIdentity next) {
        current.trial.told(outcome);
        world.say(current.trial + " is " + outcome);
        world.onEnd();
        waiting = false;
        inDoubt = false;
        work = null;
        if (!slots.isEmpty()) {
            slots.set(slot, next);
            slot = (slot + 1) % SLOTS;
        }
    }

    /** The identities are void; what is said of the transaction stays. */
    private void giveUp(Work current, Trial.Outcome outcome) {
        current.trial.told(outcome);
        inDoubt = false;
        work = null;
        slots.clear();
        slot = 0;
    }

    @Override
    void onLost() {
        waiting = false;
        slots.clear();
        Work current = work;
        if (inDoubt) {
            world.did("session asks again");
        } else {
            slot = 0;
            work = null;
            if (current != null) {
                // Nobody asked for its commit, and nobody will.
                current.trial.told(Trial.Outcome.ROLLED_BACK);
            }
        }
    }

    @Override
    public void settle() {
        if (isDone() || waiting) {
            return;
        }
        Work current = work;
        if (current == null) {
            waiting = true;
            leave();
            waiting = !hasLeft();
        } else if (isUp()) {
            if (inDoubt) {
                commit(current);
            } else {
                rollBack(current);
            }
        }
    }

    @Override
    public boolean isDone() {
        return work == null && hasLeft();
    }
}
