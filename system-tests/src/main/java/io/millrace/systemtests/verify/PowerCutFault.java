package io.millrace.systemtests.verify;

import io.millrace.testkit.process.BrokerProcess.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The disk loses its power under load, and with it the broker its memory; both come back after another boot. Small segments: files are
 * created, sealed and removed all the time.
 */
final class PowerCutFault implements Fault {
    private static final long LONGEST_MS = 2_000;

    private @Nullable LoopDisk disk;
    private @Nullable Boots boots;

    @Override
    public Optional<String> missing() {
        return LoopDisk.missing().or(Boots::missing);
    }

    @Override
    public Path prepare(Scratch scratch) throws IOException {
        disk = LoopDisk.create(scratch);
        boots = new Boots(scratch.resolve("boot-id"));
        return disk.mountPoint().resolve("data");
    }

    @Override
    public List<String> settings() {
        return List.of("log.segment.bytes=262144", "session.grace.ms=1000");
    }

    @Override
    public Surroundings surroundings() throws IOException {
        return boots().next(Map.of());
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        RandomGenerator random = stage.random();
        stage.load().work(random.nextLong(LONGEST_MS));
        // The broker is stopped first, as by its machine: it must not see the disk fail.
        stage.broker().pause();
        disk().cutPower();
        stage.broker().kill();
        disk().restorePower();
        stage.broker().use(boots().next(Map.of()));
        stage.broker().start();
        return "cut the power, " + stage.broker().readyIn();
    }

    private LoopDisk disk() {
        return Fault.prepared(disk);
    }

    private Boots boots() {
        return Fault.prepared(boots);
    }

    @Override
    public void close() throws IOException {
        if (disk != null) {
            disk.close();
        }
    }
}
