package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Operation.Outcome;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A disk of 64 MiB that is full: of messages, or of a file of somebody else. Sends are refused at once, receives and acknowledgements go
 * on, also over a restart, and sends work again when messages are consumed, or the file is gone.
 */
final class DiskFullFault implements Fault {
    private static final int SIZE_MIB = 64;

    /** Of 128 KiB each: more than the disk can hold. */
    private static final int TOO_MANY = 1_000;

    private static final int SOME = 40;
    private static final long WAIT_MS = 3_000;

    private @Nullable TemporaryDisk disk;

    @Override
    public Optional<String> missing() {
        return TemporaryDisk.missing();
    }

    @Override
    public Path prepare(Scratch scratch) throws IOException {
        disk = TemporaryDisk.create(scratch, SIZE_MIB);
        return disk.mountPoint().resolve("data");
    }

    @Override
    public List<String> settings() {
        return List.of("log.segment.bytes=1048576", "log.reserve.bytes=4194304", "session.grace.ms=1000");
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        stage.load().watch(Bulk.PLACE);
        try (Bulk bulk = stage.load().openBulk("bulk" + stage.round())) {
            return hurt(stage, bulk);
        } catch (JMSException failed) {
            throw new ScenarioFailedException("a client that fills the disk cannot go on", failed);
        }
    }

    private String hurt(Stage stage, Bulk bulk) throws JMSException, IOException, InterruptedException {
        boolean foreign = stage.random().nextBoolean();
        int stored = foreign ? store(bulk) : bulk.sendUntilRefused(TOO_MANY);
        checkRefused(bulk);
        boolean restarted = stage.random().nextInt(3) == 0;
        if (restarted) {
            stage.broker().kill();
            stage.broker().start();
            checkRefused(bulk);
        }
        // Less than a segment of them, so that nothing is freed by it.
        int taken = bulk.take(3, WAIT_MS);
        if (taken == 0) {
            throw new ScenarioFailedException("nothing can be received while the disk is full");
        }
        if (foreign) {
            checkRefused(bulk);
            prepared().free();
        } else {
            taken += bulk.take(TOO_MANY, WAIT_MS);
        }
        long againMs = bulk.sendUntilConfirmedMs();
        taken += bulk.take(TOO_MANY, WAIT_MS);
        return "filled the disk with %s%s, %d messages of 128 KiB stored, %d taken, sends worked again after %d ms"
                .formatted(
                        foreign ? "a file" : "messages",
                        restarted ? " and killed the broker, " + stage.broker().readyIn() : "",
                        stored,
                        taken,
                        againMs);
    }

    private int store(Bulk bulk) throws JMSException, IOException {
        for (int i = 0; i < SOME; i++) {
            if (bulk.send() != Outcome.CONFIRMED) {
                throw new ScenarioFailedException("the disk is full already after " + i + " messages of 128 KiB");
            }
        }
        prepared().fill();
        return SOME;
    }

    private static void checkRefused(Bulk bulk) throws JMSException {
        // What was allocated already may take a few more.
        bulk.sendUntilRefused(2 * SOME);
    }

    private TemporaryDisk prepared() {
        return Fault.prepared(disk);
    }

    @Override
    public void close() throws IOException {
        if (disk != null) {
            disk.close();
        }
    }
}
