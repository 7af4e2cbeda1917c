package io.millrace.benchmarks.micro;

import io.millrace.benchmarks.program.BenchmarkException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./millrace bench micro}. */
@Command(
        name = "micro",
        mixinStandardHelpOptions = true,
        header = "Single steps, measured by JMH: batches, append, index, cursor, frames.")
public final class MicroCommand implements Callable<Integer> {
    private static final String PACKAGE = "io\\.millrace\\.benchmarks\\.micro\\.";
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    @Parameters(
            arity = "0..1",
            paramLabel = "REGEX",
            defaultValue = ".*",
            description = "Which, as Class.method, such as LogBenchmark.lookUp. Default: all.")
    private String pattern = ".*";

    @Option(names = "--forks", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private int forks;

    @Option(
            names = "--iterations",
            paramLabel = "N",
            defaultValue = "5",
            description = "Of a second each, after as many to warm up. Default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(names = "--verbose", description = "Prints all that JMH prints.")
    private boolean verbose;

    @Override
    public Integer call() {
        Options options = new OptionsBuilder()
                .include(PACKAGE + ".*" + pattern)
                .forks(forks)
                .warmupIterations(iterations)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.seconds(1))
                .addProfiler(GCProfiler.class)
                .jvmArgs(
                        "-Xmx512m",
                        "-XX:+UseCompactObjectHeaders",
                        // What the log says of itself is not what is asked for.
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow")
                .verbosity(verbose ? VerboseMode.NORMAL : VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        try {
            print(new Runner(options).run());
        } catch (NoBenchmarksException e) {
            throw new BenchmarkException(
                    "no benchmark matches " + pattern + "; those that there are: " + String.join(", ", names()), e);
        } catch (RunnerException e) {
            throw new BenchmarkException("JMH failed: " + e.getMessage(), e);
        }
        return 0;
    }

    private static List<String> names() {
        return BenchmarkList.defaultList()
                .find(
                        OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT),
                        List.of(PACKAGE + ".*"),
                        List.of())
                .stream()
                .map(entry -> entry.getUsername().replaceFirst(PACKAGE, ""))
                .distinct()
                .toList();
    }

    private static String name(BenchmarkParams params) {
        StringBuilder name = new StringBuilder(params.getBenchmark().replaceFirst(PACKAGE, ""));
        for (String key : params.getParamsKeys()) {
            name.append(' ').append(key).append('=').append(params.getParam(key));
        }
        return name.toString();
    }

    private static void print(Collection<RunResult> results) {
        System.out.printf("%-52s %14s %12s %12s%n", "", "per operation", "+/- (99.9 %)", "B allocated");
        List<RunResult> sorted = results.stream()
                .sorted(Comparator.comparing(result -> name(result.getParams())))
                .toList();
        for (RunResult result : sorted) {
            Result<?> time = result.getPrimaryResult();
            Map<String, ?> secondary = result.getSecondaryResults();
            double bytes = secondary.get(ALLOCATED) instanceof Result<?> allocated ? allocated.getScore() : Double.NaN;
            System.out.printf(
                    "%-52s %11.1f ns %9.1f ns %12.1f%n",
                    name(result.getParams()), time.getScore(), time.getScoreError(), bytes);
        }
    }
}
