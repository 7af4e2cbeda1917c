package io.millrace.server.internal.command;

import io.millrace.server.internal.kafka.ConsumeLoad;
import io.millrace.server.internal.kafka.KafkaCluster;
import io.millrace.server.internal.kafka.LatencyLoad;
import io.millrace.server.internal.kafka.ProduceLoad;
import io.millrace.server.internal.perf.DiskSpeed;
import io.millrace.server.internal.perf.LoadResult;
import io.millrace.wire.time.SystemTimeSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace perf produce}, {@code consume} and {@code latency}, by Kafka's protocol, and {@code perf disk}. */
final class PerfKafkaCommands {
    private PerfKafkaCommands() {}

    /** What those have in common that talk to a broker. */
    abstract static class Load implements Callable<Integer> {
        @Mixin
        private KafkaOptions kafka = new KafkaOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        @Option(
                names = "--topic",
                paramLabel = "TOPIC",
                defaultValue = "perf",
                description = "Created if it is missing. Default: ${DEFAULT-VALUE}.")
        private String topic = "perf";

        @Override
        public Integer call() throws IOException, InterruptedException {
            Consumer<String> lines = line -> {
                PrintWriter out = json.chosen() ? json.err() : json.out();
                out.println(line);
                out.flush();
            };
            LoadResult.Side side;
            try {
                side = run(kafka.cluster(), topic, lines);
            } catch (IllegalArgumentException wrong) {
                throw new CommandFailure(ExitCode.USAGE, String.valueOf(wrong.getMessage()), wrong);
            }
            json.print(side, out -> print(out, side));
            return check(side);
        }

        abstract LoadResult.Side run(KafkaCluster cluster, String topic, Consumer<String> lines)
                throws InterruptedException;

        abstract String what();

        int check(LoadResult.Side side) {
            return ExitCode.OK;
        }

        private void print(PrintWriter out, LoadResult.Side side) {
            out.printf(
                    Locale.ROOT,
                    "%n%-9s %,d records in %.2f s: %,.0f/s, %,.2f MB/s%n",
                    what(),
                    side.messages(),
                    side.seconds(),
                    side.perSecond(),
                    side.bytesPerSecond() / 1e6);
            if (side.latencyMs().count() > 0) {
                out.println("  " + side.latencyMs().text());
            }
        }
    }

    /** {@code produce}. */
    @Command(
            name = "produce",
            mixinStandardHelpOptions = true,
            header =
                    "Sends records with Kafka's producer and shows the rate, and how long they took until they were confirmed.",
            description = {
                "  millrace perf produce --records 5000000 --size 100 --acks 1",
                "  millrace perf produce --records 100000 --size 1024 --rate 5000 --linger 0",
                "",
                "Without --rate the producer's memory is full all the time, and latencies say how long records waited in it. With it, a record "
                        + "that is sent late because those before it took long counts from when it was due.",
                ""
            })
    static final class Produce extends Load {
        @Option(
                names = "--records",
                paramLabel = "N",
                defaultValue = "1000000",
                description = "How many. Default: ${DEFAULT-VALUE}.")
        private long records;

        @Option(
                names = "--size",
                paramLabel = "BYTES",
                defaultValue = "100",
                description = "Of a value. Default: ${DEFAULT-VALUE}.")
        private int sizeBytes;

        @Option(
                names = "--acks",
                paramLabel = "0|1|all",
                defaultValue = "1",
                description = "Who must have a record before it counts as sent. Default: ${DEFAULT-VALUE}.")
        private String acks = "1";

        @Option(
                names = "--linger",
                paramLabel = "MS",
                defaultValue = "5",
                description = "How long a batch waits to be filled. Default: ${DEFAULT-VALUE}.")
        private int lingerMs;

        @Option(
                names = "--batch",
                paramLabel = "BYTES",
                defaultValue = "65536",
                description = "The size of a batch. Default: ${DEFAULT-VALUE}.")
        private int batchBytes;

        @Option(
                names = "--compression",
                paramLabel = "CODEC",
                defaultValue = "none",
                description = "none, gzip, snappy, lz4 or zstd. Default: ${DEFAULT-VALUE}.")
        private String compression = "none";

        @Option(names = "--rate", paramLabel = "N", description = "Records a second. Default: as many as possible.")
        private int rate;

        @Override
        LoadResult.Side run(KafkaCluster cluster, String topic, Consumer<String> lines) {
            Map<String, String> settings = Map.of(
                    "acks",
                    acks,
                    "enable.idempotence",
                    Boolean.toString(acks.equals("all") || acks.equals("-1")),
                    "linger.ms",
                    Integer.toString(lingerMs),
                    "batch.size",
                    Integer.toString(batchBytes),
                    "compression.type",
                    compression);
            return new ProduceLoad(cluster, SystemTimeSource.instance())
                    .run(new ProduceLoad.Plan(topic, records, sizeBytes, rate, settings), lines);
        }

        @Override
        String what() {
            return "sent";
        }
    }

    /** {@code consume}. */
    @Command(
            name = "consume",
            mixinStandardHelpOptions = true,
            header = "Reads a topic from its beginning with Kafka's consumer and shows the rate.",
            description = {
                "  millrace perf consume --records 5000000",
                "",
                "It is in no group: nobody's position changes, and it may be run again.",
                ""
            })
    static final class Consume extends Load {
        @Option(
                names = "--records",
                paramLabel = "N",
                defaultValue = "1000000",
                description = "How many. Default: ${DEFAULT-VALUE}.")
        private long records;

        @Option(
                names = "--timeout",
                paramLabel = "T",
                converter = Waiting.class,
                defaultValue = "10s",
                description = "End when nothing comes for so long. Default: ${DEFAULT-VALUE}.")
        private Duration timeout = Duration.ZERO;

        @Override
        LoadResult.Side run(KafkaCluster cluster, String topic, Consumer<String> lines) {
            return new ConsumeLoad(cluster, SystemTimeSource.instance()).run(topic, records, timeout, Map.of(), lines);
        }

        @Override
        int check(LoadResult.Side side) {
            if (side.messages() < records) {
                throw new CommandFailure(
                        ExitCode.FAILURE, "only " + side.messages() + " of " + records + " records came");
            }
            return ExitCode.OK;
        }

        @Override
        String what() {
            return "received";
        }
    }

    /** {@code latency}. */
    @Command(
            name = "latency",
            mixinStandardHelpOptions = true,
            header = "Shows how long a record takes from a Kafka producer to a Kafka consumer, one at a time.",
            description = {
                "  millrace perf latency",
                "  millrace perf latency --records 20000 --size 1024 --acks all",
                ""
            })
    static final class Latency extends Load {
        @Option(
                names = "--records",
                paramLabel = "N",
                defaultValue = "5000",
                description = "How many. Default: ${DEFAULT-VALUE}.")
        private long records;

        @Option(
                names = "--warmup",
                paramLabel = "N",
                defaultValue = "500",
                description = "How many go before, which do not count. Default: ${DEFAULT-VALUE}.")
        private long warmup;

        @Option(
                names = "--size",
                paramLabel = "BYTES",
                defaultValue = "100",
                description = "Of a value. Default: ${DEFAULT-VALUE}.")
        private int sizeBytes;

        @Option(
                names = "--acks",
                paramLabel = "1|all",
                defaultValue = "1",
                description = "Who must have a record before it counts as sent. Default: ${DEFAULT-VALUE}.")
        private String acks = "1";

        @Override
        LoadResult.Side run(KafkaCluster cluster, String topic, Consumer<String> lines) throws InterruptedException {
            if (records < 1 || warmup < 0 || sizeBytes < 0) {
                throw new IllegalArgumentException("--records must be at least 1, --warmup and --size not negative");
            }
            return new LatencyLoad(cluster, SystemTimeSource.instance())
                    .run(topic, records, warmup, sizeBytes, acks, lines);
        }

        @Override
        String what() {
            return "received";
        }
    }

    /** {@code disk}. */
    @Command(
            name = "disk",
            mixinStandardHelpOptions = true,
            header = "Shows what a disk does for a broker: bytes one after the other, pages anywhere, and syncs.",
            description = {
                "A log is written one byte after the other, since disks of every kind are many times faster at that than at pages all over "
                        + "the place. What a sync takes is the least that a confirmed send takes with log.flush=ack.",
                "",
                "  millrace perf disk --dir /var/lib/millrace",
                ""
            })
    static final class Disk implements Callable<Integer> {
        private static final double MB = 1e6;

        @Option(
                names = "--dir",
                paramLabel = "DIR",
                defaultValue = ".",
                description = "On the disk that is measured. Default: this directory.")
        private Path directory = Path.of(".");

        @Option(
                names = "--size",
                paramLabel = "SIZE",
                converter = ByteSize.class,
                defaultValue = "512m",
                description = "Of the file that is written, and removed at the end. Default: ${DEFAULT-VALUE}.")
        private long bytes;

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws IOException {
            if (bytes < 1 << 20) {
                throw new CommandFailure(ExitCode.USAGE, "--size must be at least 1m, is " + bytes);
            }
            // What is written is no secret, and must only be nothing that a disk could shrink.
            DiskSpeed speed = new DiskSpeed(
                    directory,
                    SystemTimeSource.instance(),
                    new SplittableRandom(SystemTimeSource.instance().nanoTime()));
            DiskSpeed.Result result = speed.run(bytes);
            json.print(
                    result,
                    out -> out.printf(
                            Locale.ROOT,
                            "one after the other   %,12.1f MB/s%npages anywhere        %,12.1f MB/s, %,.0f times less%na sync                %s%n",
                            result.sequentialBytesPerSecond() / MB,
                            result.randomBytesPerSecond() / MB,
                            result.factor(),
                            result.syncMs().text()));
            return ExitCode.OK;
        }
    }
}
