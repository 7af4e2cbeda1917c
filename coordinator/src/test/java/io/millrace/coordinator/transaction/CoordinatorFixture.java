package io.millrace.coordinator.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A coordinator with its log and two partitions, of which nothing fails unless a test wants it to. */
final class CoordinatorFixture {

    static final String USER = "User:a";
    static final int MAX_TIMEOUT_MS = 60_000;

    final SimulatedWorld world = new SimulatedWorld(new SplittableRandom(1));
    final SimulatedTransactionLog log = new SimulatedTransactionLog(world);
    final SimulatedParticipant orders =
            new SimulatedParticipant(new Participant("orders", 0, Participant.Part.DATA), world);
    final SimulatedParticipant invoices =
            new SimulatedParticipant(new Participant("invoices", 0, Participant.Part.CURSOR), world);
    final List<Participant> unreachable = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    private final BranchAlerts alerts = new BranchAlerts() {
        @Override
        public void onInDoubt(TransactionRecord branch, long waitingMs) {
            told.add("in doubt " + branch.id() + " since " + TimeUnit.MILLISECONDS.toSeconds(waitingMs) + " s");
        }

        @Override
        public void onOver(TransactionRecord branch, long waitedMs) {
            told.add("over " + branch.id() + " after " + TimeUnit.MILLISECONDS.toSeconds(waitedMs) + " s");
        }
    };
    boolean diskFull;
    /** Whoever asks for a producer id waits for this. */
    CompletableFuture<Void> idsGiven = CompletableFuture.completedFuture(null);

    private long nextProducerId = 100;
    private int nextOperation;
    TransactionCoordinator coordinator;

    CoordinatorFixture() {
        world.healed = true;
        coordinator = start();
    }

    private TransactionCoordinator start() {
        TransactionCoordinator created = new TransactionCoordinator(
                new Fillable(),
                new Reached(),
                new PlainCommitEngine(),
                () -> idsGiven.thenApply(given -> nextProducerId++),
                new TransactionSettings(MAX_TIMEOUT_MS, 10, TimeUnit.HOURS.toMillis(1)),
                world::schedule,
                world.time,
                alerts,
                0);
        log.replayInto(created);
        created.start();
        return created;
    }

    /** The broker crashes, after everything was synced, and starts again. */
    void restart() {
        run();
        coordinator.close();
        log.crash();
        orders.crash();
        invoices.crash();
        world.crash();
        coordinator = start();
        run();
    }

    void run() {
        while (world.step()) {
            // Until nothing is left to happen.
        }
    }

    void pass(long ms) {
        for (long left = ms; left > 0; left -= 500) {
            world.pass(TimeUnit.MILLISECONDS.toNanos(Math.min(left, 500)));
            run();
        }
    }

    /** Returns what a call answers; throws what it fails with. */
    <T> T answer(CompletionStage<T> call) {
        run();
        try {
            return call.toCompletableFuture().getNow(null);
        } catch (CompletionException e) {
            throw e.getCause() instanceof TransactionException known ? known : e;
        }
    }

    boolean isAnswered(CompletionStage<?> call) {
        run();
        return call.toCompletableFuture().isDone();
    }

    /** Writes one operation; returns its number. */
    int write(SimulatedParticipant participant, ProducerIdentity identity) {
        int operation = nextOperation++;
        if (!participant.write(identity, operation)) {
            throw new AssertionError(participant.name + " refuses " + identity);
        }
        return operation;
    }

    private final class Fillable implements TransactionLog {

        @Override
        public CompletionStage<Void> append(TransactionRecord record) {
            return diskFull ? full() : log.append(record);
        }

        @Override
        public CompletionStage<Void> remove(String id) {
            return diskFull ? full() : log.remove(id);
        }

        @Override
        public void note(TransactionRecord record) {
            log.note(record);
        }

        @Override
        public void noteRemoved(String id) {
            log.noteRemoved(id);
        }

        private static CompletionStage<Void> full() {
            return CompletableFuture.failedStage(
                    new TransactionException(TransactionError.NOT_AVAILABLE, "the disk is full"));
        }
    }

    private final class Reached implements Participants {

        @Override
        public CompletionStage<Void> secure(Participant participant, ProducerIdentity transaction) {
            if (unreachable.contains(participant)) {
                return failed(participant);
            }
            return find(participant).durable();
        }

        @Override
        public Told tell(Participant participant, Ending ending) {
            if (unreachable.contains(participant)) {
                return new Told(failed(participant), failed(participant));
            }
            find(participant).mark(ending);
            return new Told(
                    CompletableFuture.completedStage(null), find(participant).durable());
        }

        private SimulatedParticipant find(Participant name) {
            return name.equals(orders.name) ? orders : invoices;
        }

        private CompletionStage<Void> failed(Participant participant) {
            return CompletableFuture.failedStage(
                    new TransactionException(TransactionError.NOT_AVAILABLE, participant + " cannot be reached"));
        }
    }
}
