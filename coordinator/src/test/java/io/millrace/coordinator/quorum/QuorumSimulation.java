package io.millrace.coordinator.quorum;

import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.ReferenceMetadata;
import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.kafka.raft.RaftLog;

/**
 * A whole quorum in one thread under a seed: voters, an observer, clients, and faults. After every commit, snapshot and election it is
 * checked that all members agree; at the end, after the faults, that nothing acknowledged is lost and that the quorum goes on.
 */
final class QuorumSimulation implements SimulatedMember.Observer {
    static final int OBSERVER = 9;
    private static final int SETTLE_MS = 15_000;

    final SimulatedTime time;
    final List<String> violations = new ArrayList<>();
    private final long seed;
    private final List<QuorumVoter> voters = new ArrayList<>();
    private final Map<Integer, FakeDisk> disks = new TreeMap<>();
    private final Map<Integer, SimulatedMember> members = new TreeMap<>();
    private final SimulatedNetwork network;
    private final SimulatedClients clients;
    private final ReferenceMetadata reference = new ReferenceMetadata();
    private final Map<Integer, Integer> leaders = new TreeMap<>();
    private final Random chaos;
    private boolean faults = true;
    private boolean lyingDisks;
    private UnaryOperator<RaftLog> flaw = UnaryOperator.identity();
    private int crashes;
    private int cuts;
    private int diskFailures;
    private int snapshotsLoaded;

    QuorumSimulation(long seed, int voterCount) {
        this.seed = seed;
        time = new SimulatedTime(seed);
        chaos = time.random("chaos");
        network = new SimulatedNetwork(time, members::get);
        clients = new SimulatedClients(time, () -> List.copyOf(members.values()));
        for (int id = 1; id <= voterCount; id++) {
            voters.add(new QuorumVoter(id, "member" + id, 1_000 + id));
        }
    }

    /** From now on forced bytes are lost in crashes like others: for the test of this test. */
    void letDisksLie() {
        lyingDisks = true;
    }

    /** From now on members put this between the Raft core and its log: for the test of this test. */
    void plant(UnaryOperator<RaftLog> newFlaw) {
        flaw = newFlaw;
    }

    /** A member loses its disk now and comes back with an empty one. */
    void replaceDisk(int id) {
        crash(id, true);
        disks.put(id, new FakeDisk(time.random("second disk of " + id)));
    }

    Optional<Integer> leaderId() {
        return members.values().stream()
                .filter(SimulatedMember::isLeader)
                .map(SimulatedMember::id)
                .findFirst();
    }

    SimulatedMember member(int id) {
        return Objects.requireNonNull(members.get(id), "member " + id + " does not run");
    }

    /** Starts everything, without faults. */
    void startQuietly() {
        faults = false;
        network.becomeReliable();
        voters.forEach(voter -> boot(voter.memberId()));
        clients.start();
    }

    int answeredCount() {
        return clients.answeredCount();
    }

    /** Runs with faults, then without, and returns what is wrong. */
    List<String> run(int faultySeconds) {
        voters.forEach(voter -> boot(voter.memberId()));
        boot(OBSERVER);
        clients.start();
        scheduleFault();
        time.runFor(faultySeconds * 1_000L, this::isViolated);
        if (isViolated()) {
            return violations;
        }

        faults = false;
        network.becomeReliable();
        disks.forEach((id, disk) -> {
            disk.cancelPlannedCrash();
            disk.failForces(false);
            if (!members.containsKey(id)) {
                boot(id);
            }
        });
        int answeredBefore = clients.answeredCount();
        time.runFor(SETTLE_MS, this::isViolated);

        if (clients.answeredCount() == answeredBefore) {
            violations.add("no progress after the faults");
        }
        violations.addAll(clients.violations(reference.latest()));
        members.values().forEach(this::checkCaughtUp);
        return violations;
    }

    private boolean isViolated() {
        return !violations.isEmpty();
    }

    private void checkCaughtUp(SimulatedMember member) {
        MetadataImage image = member.metadata().image();
        reference.onImage(member.id(), image).ifPresent(violations::add);
        long behind = reference.latest().end().endOffset() - image.end().endOffset();
        if (behind > 40) {
            violations.add("member " + member.id() + " is " + behind + " records behind");
        }
    }

    // ---- processes and faults ---------------------------------------------------------------------------------------

    private FakeDisk disk(int id) {
        return disks.computeIfAbsent(id, i -> new FakeDisk(time.random("disk of " + i)));
    }

    private void boot(int id) {
        FakeDisk disk = disk(id);
        disk.restart();
        disk.lieOnForce(lyingDisks);
        disk.failForces(false);
        time.note("boot " + id);
        QuorumSettings settings = new QuorumSettings("simulation", id, voters, 1_000, 500, 250);
        try {
            members.put(id, new SimulatedMember(settings, disk, time, network, this, flaw));
        } catch (RuntimeException e) {
            onDiskFailure(id, e);
        }
    }

    private void bootLater(int id, long delayMs) {
        time.at(delayMs, id, () -> {
            if (!members.containsKey(id)) {
                boot(id);
            }
        });
    }

    /** @param powerCut the page cache goes with the process */
    private void crash(int id, boolean powerCut) {
        SimulatedMember member = members.remove(id);
        if (member != null) {
            member.die();
        }
        crashes++;
        time.note((powerCut ? "power cut " : "kill ") + id);
        if (powerCut) {
            disk(id).crash();
        } else {
            disk(id).kill();
        }
        bootLater(id, 100 + chaos.nextInt(3_000));
    }

    private void scheduleFault() {
        time.at(300 + chaos.nextInt(3_000), 0, () -> {
            if (faults) {
                fault();
                scheduleFault();
            }
        });
    }

    private void fault() {
        List<Integer> ids = List.copyOf(disks.keySet());
        int id = ids.get(chaos.nextInt(ids.size()));
        Optional<SimulatedMember> leader =
                members.values().stream().filter(SimulatedMember::isLeader).findFirst();
        int victim = chaos.nextBoolean() ? leader.map(SimulatedMember::id).orElse(id) : id;
        switch (chaos.nextInt(12)) {
            case 0, 1 -> crash(victim, true);
            case 2 -> crash(victim, false);
            case 3, 4, 5 -> disk(victim).crashAfterOperations(1 + chaos.nextInt(60));
            case 6 -> disk(victim).failForces(true);
            case 7, 8, 9 -> {
                cuts++;
                network.cut(victim);
                time.note("cut " + victim);
                time.at(200 + chaos.nextInt(5_000), victim, () -> network.heal(victim));
            }
            case 10 -> leader.ifPresent(member -> member.resign(member.leader().epoch()));
            default -> {
                for (int each : ids) {
                    if (members.containsKey(each)) {
                        crash(each, true);
                    }
                }
            }
        }
    }

    // ---- what the members report ------------------------------------------------------------------------------------

    @Override
    public void onCommitted(SimulatedMember member, CommittedBatch batch) {
        time.note("commit " + member.id() + " " + batch.baseOffset());
        reference.onCommitted(member.id(), batch).ifPresent(violations::add);
    }

    @Override
    public void onLeaderChanged(SimulatedMember member, QuorumLeader leader) {
        time.note("leader " + member.id() + " " + leader.epoch());
        leader.leaderId().ifPresent(id -> {
            Integer before = leaders.putIfAbsent(leader.epoch(), id);
            if (before != null && before != id) {
                violations.add("two leaders in epoch " + leader.epoch() + ": " + before + " and " + id);
            }
        });
    }

    @Override
    public void onSnapshotLoaded(SimulatedMember member, MetadataImage image) {
        snapshotsLoaded++;
        reference.onImage(member.id(), image).ifPresent(violations::add);
    }

    /** Fail-stop: whatever the disk does, the process is over, and somebody starts it again. */
    @Override
    public void onFailure(SimulatedMember member, Throwable cause) {
        member.die();
        members.remove(member.id());
        onDiskFailure(member.id(), cause);
    }

    private void onDiskFailure(int id, Throwable cause) {
        if (!isDiskFailure(cause)) {
            violations.add("member " + id + " stopped: " + cause);
        }
        diskFailures++;
        time.note("stopped " + id);
        if (!disk(id).isDown()) {
            disk(id).crash();
        }
        bootLater(id, 500);
    }

    private static boolean isDiskFailure(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException || cause instanceof DirectoryReadOnlyException) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + voters.size() + " voters: " + time.executed() + " events, "
                + clients.answeredCount() + " answered, " + clients.indeterminateCount() + " failed tries, "
                + leaders.size() + " leaders, " + crashes + " crashes, " + diskFailures + " disk failures, " + cuts
                + " cuts, " + snapshotsLoaded + " snapshots loaded, trace " + Long.toHexString(time.trace());
    }
}
