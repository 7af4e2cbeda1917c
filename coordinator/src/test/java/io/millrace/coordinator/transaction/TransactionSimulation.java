package io.millrace.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Simulation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A coordinator, its log, partitions and clients of all kinds in one thread, under a seed. Answers get lost, partitions cannot be reached, the
 * disk fills, the broker crashes and loses what was not synced. In the end everything is healed, and each transaction must have happened as a
 * whole or not at all, as its client was told.
 */
final class TransactionSimulation implements Simulation {

    private static final int PARTICIPANTS = 4;

    final Map<String, Integer> did = new HashMap<>();
    final SimulatedWorld world;
    final List<SimulatedParticipant> participants = new ArrayList<>();
    private final SimulatedTransactionLog log;
    private final List<Trial> trials = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final CommitEngine engine;
    private long nextProducerId;
    private int nextOperation;
    private int coordinatorEpoch;
    private TransactionCoordinator coordinator;

    TransactionSimulation(long seed) {
        this(seed, world -> new PlainCommitEngine());
    }

    TransactionSimulation(long seed, Function<SimulatedWorld, CommitEngine> engines) {
        this.world = new SimulatedWorld(new SplittableRandom(seed));
        this.engine = engines.apply(world);
        this.log = new SimulatedTransactionLog(world);
        for (int i = 0; i < PARTICIPANTS; i++) {
            Participant.Part part = i % 2 == 0 ? Participant.Part.DATA : Participant.Part.CURSOR;
            participants.add(new SimulatedParticipant(new Participant("log", i / 2, part), world));
        }
        coordinator = newCoordinator();
        clients.add(new ProducerClient(this, "producer-a"));
        clients.add(new ProducerClient(this, "producer-a"));
        clients.add(new ProducerClient(this, "producer-b"));
        clients.add(new SessionClient(this, 1));
        clients.add(new SessionClient(this, 2));
        clients.add(new BranchClient(this, 1));
        clients.add(new BranchClient(this, 2));
    }

    private TransactionCoordinator newCoordinator() {
        TransactionCoordinator created = new TransactionCoordinator(
                log,
                new Reached(),
                engine,
                () -> {
                    CompletableFuture<Long> id = new CompletableFuture<>();
                    world.later(() -> id.complete(nextProducerId++));
                    return id;
                },
                new TransactionSettings(60_000, 1_000, TimeUnit.HOURS.toMillis(1)),
                world::schedule,
                world.time,
                new NoAlerts(),
                coordinatorEpoch++);
        log.replayInto(created);
        created.start();
        return created;
    }

    TransactionCoordinator coordinator() {
        return coordinator;
    }

    Trial begin(String name) {
        Trial trial = new Trial(name);
        trials.add(trial);
        return trial;
    }

    void did(String what) {
        did.merge(what, 1, Integer::sum);
    }

    /** Chooses where a transaction writes to. */
    List<SimulatedParticipant> some() {
        List<SimulatedParticipant> chosen = new ArrayList<>();
        for (SimulatedParticipant one : participants) {
            if (world.random.nextInt(100) < 40) {
                chosen.add(one);
            }
        }
        return chosen.isEmpty() ? List.of(world.pick(participants)) : chosen;
    }

    static Collection<Participant> names(List<SimulatedParticipant> chosen) {
        return chosen.stream().map(one -> one.name).toList();
    }

    /** Writes an operation of a transaction; returns whether the participant took it. */
    boolean write(Trial trial, ProducerIdentity identity, SimulatedParticipant participant) {
        int operation = nextOperation++;
        if (!participant.write(identity, operation)) {
            return false;
        }
        trial.operations.add(new Trial.Operation(operation, participant));
        return true;
    }

    @Override
    public void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
        heal();
        check();
    }

    private void step() {
        if (world.random.nextInt(200) == 0) {
            crash();
        } else if (world.random.nextInt(10) == 0) {
            world.pass(world.random.nextLong(TimeUnit.SECONDS.toNanos(3)));
        } else if (world.random.nextInt(20) == 0) {
            report();
        } else if (world.random.nextInt(8) == 0) {
            world.pick(clients).act();
        } else if (!world.step()) {
            world.pick(clients).act();
        }
        checkDecided();
    }

    private void crash() {
        did("crash");
        world.say("---- crash");
        coordinator.close();
        log.crash();
        participants.forEach(SimulatedParticipant::crash);
        world.crash();
        coordinator = newCoordinator();
    }

    /** A partition asks about what it finds open. */
    private void report() {
        SimulatedParticipant one = world.pick(participants);
        for (ProducerIdentity open : one.allOpen()) {
            if (!coordinator.knows(open)) {
                did("abandoned");
                one.abandon(open);
            }
        }
    }

    private void heal() {
        world.healed = true;
        clients.forEach(SimulatedClient::retire);
        for (int round = 0; round < 400; round++) {
            while (world.step()) {
                checkDecided();
            }
            clients.forEach(SimulatedClient::settle);
            world.pass(TimeUnit.SECONDS.toNanos(1));
            participants.forEach(one -> one.allOpen().stream()
                    .filter(open -> !coordinator.knows(open))
                    .toList()
                    .forEach(one::abandon));
        }
    }

    /** No transaction may ever be seen in part by somebody who looks after its end. */
    private void checkDecided() {
        for (Trial trial : trials) {
            boolean committed = false;
            boolean aborted = false;
            for (Trial.Operation operation : trial.operations) {
                SimulatedParticipant.Fate fate = operation.participant().fates().get(operation.number());
                committed |= fate == SimulatedParticipant.Fate.COMMITTED;
                aborted |= fate == SimulatedParticipant.Fate.ABORTED;
            }
            assertThat(committed && aborted).as("%s is torn", trial).isFalse();
        }
        trials.removeIf(trial -> trials.size() > 40 && isOver(trial) && checkOne(trial));
    }

    private static boolean isOver(Trial trial) {
        return trial.outcome != Trial.Outcome.UNKNOWN
                && trial.operations.stream()
                        .allMatch(operation -> operation.participant().fates().get(operation.number())
                                == (trial.outcome == Trial.Outcome.COMMITTED
                                        ? SimulatedParticipant.Fate.COMMITTED
                                        : SimulatedParticipant.Fate.ABORTED));
    }

    private void check() {
        trials.forEach(this::checkOne);
        for (SimulatedParticipant one : participants) {
            assertThat(one.allOpen()).as("left open in %s", one.name).isEmpty();
        }
        assertThat(coordinator.list())
                .as("left behind")
                .allSatisfy(record ->
                        assertThat(record.state().isOver()).as("%s", record).isTrue());
    }

    private boolean checkOne(Trial trial) {
        List<SimulatedParticipant.Fate> fates = new ArrayList<>();
        for (Trial.Operation operation : trial.operations) {
            SimulatedParticipant.Fate fate = operation.participant().fates().get(operation.number());
            if (fate == null) {
                // Lost in a crash before it was durable.
                fate = SimulatedParticipant.Fate.ABORTED;
            }
            fates.add(fate);
        }
        assertThat(fates).as("%s is there as a whole or not at all", trial).hasSizeLessThanOrEqualTo(fates.size());
        assertThat(fates.stream().distinct().count()).as("%s: %s", trial, fates).isLessThanOrEqualTo(1);
        switch (trial.outcome) {
            case COMMITTED -> assertThat(fates).as("%s", trial).containsOnly(SimulatedParticipant.Fate.COMMITTED);
            case ROLLED_BACK -> assertThat(fates).as("%s", trial).doesNotContain(SimulatedParticipant.Fate.COMMITTED);
            case UNKNOWN -> {}
        }
        return true;
    }

    @Override
    public List<String> history() {
        return world.history;
    }

    /** The participants, as far as they can be reached. */
    private static final class NoAlerts implements BranchAlerts {

        @Override
        public void onInDoubt(TransactionRecord branch, long waitingMs) {}

        @Override
        public void onOver(TransactionRecord branch, long waitedMs) {}
    }

    private final class Reached implements Participants {

        @Override
        public CompletionStage<Void> secure(Participant participant, ProducerIdentity transaction) {
            CompletableFuture<Void> answer = new CompletableFuture<>();
            world.later(() -> {
                SimulatedParticipant one = find(participant);
                if (world.chance(4)) {
                    did("not secured");
                    answer.completeExceptionally(unreachable(participant));
                } else if (one.open(transaction.id())
                        .filter(transaction::equals)
                        .isEmpty()) {
                    answer.completeExceptionally(unreachable(participant));
                } else {
                    one.durable().thenRun(() -> world.later(() -> answer.complete(null)));
                }
            });
            return answer;
        }

        @Override
        public Told tell(Participant participant, Ending ending) {
            CompletableFuture<Void> written = new CompletableFuture<>();
            CompletableFuture<Void> durable = new CompletableFuture<>();
            world.later(() -> {
                if (world.chance(15)) {
                    did("not told");
                    written.completeExceptionally(unreachable(participant));
                    durable.completeExceptionally(unreachable(participant));
                    return;
                }
                SimulatedParticipant one = find(participant);
                one.mark(ending);
                written.complete(null);
                one.durable().thenRun(() -> world.later(() -> durable.complete(null)));
            });
            return new Told(written, durable);
        }

        private SimulatedParticipant find(Participant name) {
            return participants.stream()
                    .filter(one -> one.name.equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        private TransactionException unreachable(Participant participant) {
            return new TransactionException(TransactionError.NOT_AVAILABLE, participant + " cannot be reached");
        }
    }
}
