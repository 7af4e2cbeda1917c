package io.millrace.server.internal.command;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace sizing}. */
@Command(
        name = "sizing",
        mixinStandardHelpOptions = true,
        header = "Works out what brokers must write and read, and for how long memory holds what was written.",
        description = {
            "Every replica writes what is sent: write = W * R. Every follower and every group of consumers reads it: "
                    + "read = (R - 1) * W + C * W. Consumers that are not further behind than memory reaches, M / (W * R), are served "
                    + "without reading the disk. The figures are of the whole cluster; brokers share them.",
            "",
            "  millrace sizing --write 50 --replicas 1 --consumers 3 --mem 32g",
            "  millrace sizing --write 50 --replicas 3 --consumers 3 --mem 32g --retention-hours 168",
            "",
            "docs/sizing.md says how to find W, and what to buy.",
            ""
        })
final class SizingCommand implements Callable<Integer> {
    private static final double BYTES_PER_MB = 1 << 20;
    private static final int SECONDS_PER_HOUR = 3600;

    @Option(
            names = "--write",
            required = true,
            paramLabel = "MB/s",
            description = "W: what producers send in a second.")
    private double write;

    @Option(names = "--replicas", paramLabel = "N", defaultValue = "1", description = "R. Default: ${DEFAULT-VALUE}.")
    private int replicas;

    @Option(
            names = "--consumers",
            paramLabel = "N",
            defaultValue = "1",
            description = "C: groups that each read all. Default: ${DEFAULT-VALUE}.")
    private int consumers;

    @Option(
            names = "--mem",
            paramLabel = "SIZE",
            required = true,
            converter = ByteSize.class,
            description =
                    "M: memory that is left for the page cache, such as 32g: what the machine has without the broker's heap.")
    private long memBytes;

    @Option(
            names = "--retention-hours",
            paramLabel = "H",
            defaultValue = "168",
            description = "How long messages are kept. Default: ${DEFAULT-VALUE}, a week.")
    private double retentionHours;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        if (write <= 0 || replicas < 1 || consumers < 0 || memBytes < 1 || retentionHours < 0) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--write and --mem must be more than 0, --replicas at least 1, the others not negative");
        }
        double written = write * replicas;
        double read = (replicas - 1) * write + consumers * write;
        long cachedSeconds = (long) (memBytes / BYTES_PER_MB / written);
        double diskMb = written * SECONDS_PER_HOUR * retentionHours;
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("writeMBPerSecond", written);
        result.put("readMBPerSecond", read);
        result.put("cachedSeconds", cachedSeconds);
        result.put("diskMB", diskMb);
        json.print(
                result,
                text -> text.printf(
                        Locale.ROOT,
                        "written  %,.0f MB/s%nread     %,.0f MB/s%ncached   %d s (%.1f min)%ndisk     %,.1f GB for %,.0f h, and room to spare%n",
                        written,
                        read,
                        cachedSeconds,
                        cachedSeconds / 60.0,
                        diskMb / 1024,
                        retentionHours));
        return ExitCode.OK;
    }
}
