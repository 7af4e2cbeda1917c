package io.millrace.broker.internal.simulation;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.transaction.Participant.Part;
import io.millrace.coordinator.transaction.PlainCommitEngine;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.testkit.Simulation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * All that takes part in transactions, together, in one thread under a seed: the coordinators with their logs, queues with theirs, on a disk that
 * loses what was not synced; the handlers of JMS sessions, branches and Kafka's producers; and clients of these kinds, over connections that are cut. Anything
 * that is under way may wait while the rest goes on. The broker crashes at any step, also while it starts; the disk fills and fails.
 *
 * <p>At any time nobody sees anything of a transaction that contradicts what somebody saw before, or what its client was told. In the end everything is
 * healed, and each transaction must have happened as a whole or not at all, with nothing left behind.
 */
final class BrokerSimulation implements Simulation {

    private final SimulatedWorld world;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<CommittedReader> readers = new ArrayList<>();
    private boolean full;

    BrokerSimulation(long seed) {
        this.world = new SimulatedWorld(
                seed, shard -> seed % 2 == 0 ? new PlainCommitEngine() : new PostingCommitEngine(shard));
        clients.add(new TransactedSession(world, "session 1"));
        clients.add(new TransactedSession(world, "session 2"));
        clients.add(new BranchWorker(world, 1));
        clients.add(new BranchWorker(world, 2));
        clients.add(new KafkaProducer(world, "producer-a", "producer 1"));
        clients.add(new KafkaProducer(world, "producer-a", "producer 2"));
        clients.add(new KafkaProducer(world, "producer-b", "producer 3"));
        for (String queue : SimulatedWorld.QUEUES) {
            readers.add(new CommittedReader(world, queue));
        }
    }

    /** What happened how often, so that a test can see that a run was worth something. */
    Map<String, Integer> did() {
        return world.did;
    }

    @Override
    public List<String> history() {
        return world.history;
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
        int dice = world.random.nextInt(1_000);
        if (dice < 2) {
            hurt();
        } else if (dice < 5) {
            world.cutSome();
        } else if (dice < 8) {
            world.pick(readers).read();
        } else if (dice < 30) {
            boolean much = world.random.nextInt(40) == 0;
            world.time.advanceNs(world.random.nextLong(TimeUnit.MILLISECONDS.toNanos(much ? 4_000 : 20)));
        } else if (dice < 160) {
            world.pick(clients).act();
        } else {
            world.step();
        }
        if (full && world.random.nextInt(100) == 0) {
            full = false;
            world.makeRoom();
        }
        if (world.isFailing() && world.random.nextInt(100) == 0) {
            world.crash(false);
        }
    }

    private void hurt() {
        switch (world.random.nextInt(9)) {
            case 0, 1 -> world.disk.crashAfterOperations(1 + world.random.nextInt(60));
            case 2, 3 -> world.crash(true);
            case 4, 5 -> world.crash(false);
            case 6, 7 -> {
                full = true;
                world.fill(world.random.nextInt(3_000));
            }
            default -> world.fail(world.random.nextBoolean());
        }
    }

    // ---- the end --------------------------------------------------------------------------------------------------

    private void heal() {
        world.say("---- all is healed");
        world.healed = true;
        world.disk.cancelPlannedCrash();
        world.makeRoom();
        if (world.isFailing() || !world.broker().serves()) {
            world.crash(false);
        }
        for (int round = 0; round < 200 && !isOver(); round++) {
            clients.forEach(SimulatedClient::settle);
            goOn(1_000);
        }
        // What sessions held whose connections were lost comes back when their grace is over.
        for (int round = 0; round < 4; round++) {
            goOn(5_000);
        }
        for (SimulatedClient client : clients) {
            SimulatedWorld.check(client.isDone(), client.name() + " does not come to an end");
        }
    }

    private void goOn(int ms) {
        world.settle();
        world.time.advanceMs(ms);
        world.settle();
    }

    private boolean isOver() {
        return clients.stream().allMatch(SimulatedClient::isDone)
                && openOnes().isEmpty()
                && unfinished().isEmpty();
    }

    private List<String> openOnes() {
        List<String> open = new ArrayList<>();
        for (String queue : SimulatedWorld.QUEUES) {
            Partition partition = world.broker().partition(world.logOf(queue));
            for (Part part : Part.values()) {
                partition.transactions().open(part).forEach(one -> open.add(one + " in " + part + " of " + queue));
            }
        }
        return open;
    }

    private List<TransactionRecord> unfinished() {
        List<TransactionRecord> unfinished = new ArrayList<>();
        CompletableFuture<List<List<TransactionRecord>>> asked = world.broker()
                .transactions()
                .ofAll(coordinator -> coordinator.list().stream()
                        .filter(record -> !record.state().isOver())
                        .toList());
        world.settle();
        SimulatedWorld.check(asked.isDone(), "the coordinators do not answer");
        asked.join().forEach(unfinished::addAll);
        return unfinished;
    }

    private void check() {
        SimulatedWorld.check(openOnes().isEmpty(), "left open: " + openOnes());
        SimulatedWorld.check(unfinished().isEmpty(), "left behind: " + unfinished());
        Set<String> available = new HashSet<>();
        Drain drain = new Drain(world);
        SimulatedWorld.check(!drain.isUp(), "nothing is open before anybody answered");
        for (int idle = 0; idle < 5; idle++) {
            world.settle();
            for (String text : drain.takeAll()) {
                idle = 0;
                SimulatedWorld.check(available.add(text), text + " comes twice");
            }
            world.time.advanceMs(50);
        }
        Set<String> committed = new HashSet<>();
        for (CommittedReader reader : readers) {
            for (String text : reader.read()) {
                SimulatedWorld.check(committed.add(text), text + " is there twice");
            }
        }
        world.ledger.check(committed, available);
    }
}
