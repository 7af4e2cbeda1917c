package io.millrace.systemtests.verify;

import io.millrace.systemtests.verify.FaultShim.Operation;
import io.millrace.systemtests.verify.FaultShim.Rule;
import io.millrace.testkit.process.BrokerProcess.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk that misbehaves in the middle of the load. After an error that leaves it unknown what is on the disk, sends are refused as
 * {@code storage_unavailable} until the broker is restarted; then the power is cut, since nothing may have been confirmed that was not
 * forced, and with a disk that works everything confirmed is there. What is only slow, or writes less than it was told to, costs time and
 * nothing else.
 */
final class DiskErrorFault implements Fault {
    /** Matches the data files of a partition, not its cursor log. */
    private static final String ORDERS_DATA = "verify.orders-0/0";

    private static final String ANY_PARTITION = "verify.";
    private static final String SYNCED_OFFSETS = "synced-offsets";
    private static final String CURSORS = "cursors/";
    private static final String JOURNAL = "commit-journal";

    /** Nearly all that is waited for is synced by the journal: other files are forced now and then. */
    private static final int SYNCS_OF_OTHERS = 3;

    private static final long LONGEST_MS = 1_000;
    private static final int PATIENCE_POLLS = 600;

    private enum Kind {
        SYNC_ERROR("a sync failed with EIO"),
        WRITE_ERROR("a write failed with EIO"),
        WRITE_NO_SPACE("writes failed with ENOSPC"),
        SHORT_WRITE("writes were done by half"),
        SLOW_SYNC("syncs took long");

        private final String description;

        Kind(String description) {
            this.description = description;
        }

        /** Chooses where and when. */
        Rule rule(RandomGenerator random) {
            String anyFile =
                    List.of(ORDERS_DATA, ANY_PARTITION, CURSORS, JOURNAL).get(random.nextInt(4));
            long skip = random.nextLong(50);
            return switch (this) {
                case SYNC_ERROR -> {
                    String file = random.nextInt(4) == 0 ? SYNCED_OFFSETS : anyFile;
                    yield new Rule(
                            Operation.SYNC,
                            "fail",
                            FaultShim.EIO,
                            file.equals(JOURNAL) ? skip : skip % SYNCS_OF_OTHERS,
                            1 + random.nextInt(3),
                            file);
                }
                case WRITE_ERROR -> new Rule(Operation.WRITE, "fail", FaultShim.EIO, skip, 1, anyFile);
                case WRITE_NO_SPACE ->
                    new Rule(Operation.WRITE, "fail", FaultShim.ENOSPC, skip, 1 + random.nextInt(50), ORDERS_DATA);
                case SHORT_WRITE -> new Rule(Operation.WRITE, "short", 0, skip, 1 + random.nextInt(200), anyFile);
                case SLOW_SYNC ->
                    new Rule(Operation.SYNC, "slow", 200 + random.nextInt(1_500), skip, 1 + random.nextInt(3), JOURNAL);
            };
        }

        boolean needsRestart() {
            return this == SYNC_ERROR || this == WRITE_ERROR;
        }
    }

    private @Nullable LoopDisk disk;
    private @Nullable Boots boots;
    private @Nullable FaultShim shim;

    @Override
    public Optional<String> missing() {
        return FaultShim.missing().or(LoopDisk::missing).or(Boots::missing);
    }

    @Override
    public Path prepare(Scratch scratch) throws IOException {
        disk = LoopDisk.create(scratch);
        boots = new Boots(scratch.resolve("boot-id"));
        Path data = disk.mountPoint().resolve("data");
        shim = FaultShim.create(scratch, data);
        return data;
    }

    @Override
    public List<String> settings() {
        return List.of("log.segment.bytes=262144", "session.grace.ms=1000");
    }

    @Override
    public boolean closesConsumers() {
        return true;
    }

    @Override
    public Surroundings surroundings() throws IOException {
        return Fault.prepared(boots).next(shim().environment());
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        Kind kind = Kind.values()[(stage.round() - 1) % Kind.values().length];
        Rule rule = kind.rule(stage.random());
        stage.load().work(stage.random().nextLong(LONGEST_MS));
        // The probes' queue must be there: a broken disk has room for none.
        stage.load().probe();
        shim().use(rule);
        awaitHit(stage, rule);
        String what = kind.description + ", after " + rule.skip() + " calls for " + rule.path() + "*";
        if (kind.needsRestart()) {
            checkUnavailable(stage);
            shim().rest();
            what += restart(stage);
        } else {
            stage.load().awaitWork();
            shim().rest();
        }
        return what;
    }

    private void awaitHit(Stage stage, Rule rule) throws IOException, InterruptedException {
        for (int poll = 0; shim().hits() == 0; poll++) {
            if (poll == PATIENCE_POLLS) {
                throw new ScenarioFailedException("nothing was hit by " + rule);
            }
            stage.load().work(50);
        }
    }

    /** The directory is read-only: whoever sends is told so. */
    private static void checkUnavailable(Stage stage) throws InterruptedException {
        String code = "";
        for (int poll = 0; !code.equals("storage_unavailable"); poll++) {
            if (poll == PATIENCE_POLLS) {
                throw new ScenarioFailedException("a send to a broken disk is answered with '" + code + "'");
            }
            code = stage.load().probe();
            stage.load().work(20);
        }
    }

    private String restart(Stage stage) throws IOException, InterruptedException {
        boolean cut = stage.random().nextBoolean();
        if (cut) {
            stage.broker().pause();
            disk().cutPower();
        }
        stage.broker().kill();
        if (cut) {
            disk().restorePower();
            stage.broker().use(surroundings());
        }
        stage.broker().start();
        return (cut ? "; cut the power, " : "; killed the broker, ")
                + stage.broker().readyIn();
    }

    private LoopDisk disk() {
        return Fault.prepared(disk);
    }

    private FaultShim shim() {
        return Fault.prepared(shim);
    }

    @Override
    public void close() throws IOException {
        if (disk != null) {
            disk.close();
        }
    }
}
