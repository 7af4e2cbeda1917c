package io.millrace.systemtests.verify;

import io.millrace.testkit.process.BrokerProcess.Surroundings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The wall clock of the broker jumps by an hour, ahead and back, by a library of our own that is preloaded into it; monotonic time goes
 * on, as with a clock that somebody sets. Some rounds kill the broker between two jumps, so that its files hold times of the future.
 */
final class ClockFault implements Fault {
    private static final String SOURCE = "clockshim.c";
    private static final List<Integer> HOURS = List.of(1, -1, 0);
    private static final long SECONDS_PER_HOUR = 3_600;

    private Path offset = Path.of("");
    private Path library = Path.of("");

    @Override
    public Optional<String> missing() {
        return Command.exist("gcc") ? Optional.empty() : Optional.of("the command gcc");
    }

    @Override
    public Path prepare(Scratch scratch) throws IOException {
        offset = scratch.resolve("clock");
        library = scratch.resolve("clockshim.so");
        Path source = scratch.resolve(SOURCE);
        try (InputStream text = ClockFault.class.getResourceAsStream(SOURCE)) {
            if (text == null) {
                throw new NoSuchFileException(SOURCE);
            }
            Files.copy(text, source);
        }
        Command.run("gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library.toString(), source.toString());
        set(0);
        return scratch.resolve("data");
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        if (stage.round() == 1) {
            stage.broker()
                    .restart(new Surroundings(
                            Map.of("LD_PRELOAD", library.toString(), "MILLRACE_CLOCK", offset.toString()), List.of()));
            stage.load().awaitWork();
        }
        int first = HOURS.get(stage.random().nextInt(HOURS.size()));
        int second = HOURS.get(stage.round() % HOURS.size());
        String what = "the clock was set to %+d h, then %+d h".formatted(first, second);
        set(first);
        stage.load().work(1_000 + stage.random().nextInt(1_000));
        if (stage.random().nextInt(3) == 0) {
            stage.broker().kill();
            set(second);
            stage.broker().start();
            return what + " between a kill and the start, " + stage.broker().readyIn();
        }
        set(second);
        stage.load().work(500 + stage.random().nextInt(1_000));
        stage.broker().requireAlive("a jump of the clock");
        return what;
    }

    /** The library has the file mapped: it is written where it is. */
    private void set(int hours) throws IOException {
        ByteBuffer seconds = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        seconds.putLong(hours * SECONDS_PER_HOUR).flip();
        try (FileChannel channel = FileChannel.open(offset, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(seconds, 0);
        }
    }
}
