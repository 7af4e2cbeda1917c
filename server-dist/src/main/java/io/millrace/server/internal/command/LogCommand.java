package io.millrace.server.internal.command;

import io.millrace.coordinator.quorum.QuorumFiles;
import io.millrace.log.DirectoryCheck;
import io.millrace.log.LogDumper;
import io.millrace.log.LogVerifier;
import io.millrace.log.RepairReport;
import io.millrace.log.VerifyReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace log}. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        header = "Looks into the files of a data directory.",
        subcommands = {LogCommand.Dump.class, LogCommand.Verify.class})
final class LogCommand extends CommandGroup {
    LogCommand() {
        super("`millrace log dump` shows what is in the files, `millrace log verify` checks them.");
    }

    private static Path existing(Path path) {
        if (!Files.exists(path)) {
            throw new CommandFailure(ExitCode.USAGE, "there is no " + path);
        }
        return path;
    }

    /** {@code millrace log dump}. */
    @Command(
            name = "dump",
            mixinStandardHelpOptions = true,
            header = "Prints what is in a segment, an index, a snapshot, or all files of a partition.",
            description = {
                "Reads only, and needs no broker; of a log that is being written it shows what is there at the moment.",
                "",
                "  millrace log dump /var/lib/millrace/orders-0",
                "  millrace log dump /var/lib/millrace/orders-0/00000000000000000000.log --records",
                "  millrace log dump /var/lib/millrace/orders-0 --format v0",
                ""
            })
    static final class Dump implements Callable<Integer> {
        @Parameters(paramLabel = "PATH", description = "A file of a log, or the directory of a partition.")
        private Path path = Path.of("");

        @Option(names = "--records", description = "Print the records of each batch too.")
        private boolean records;

        @Option(
                names = "--format",
                paramLabel = "FORMAT",
                description =
                        "v2 shows batches (default); v0 shows each message as an entry of the first format of logs: length,"
                                + " magic, checksum, payload. Reads files of all formats.")
        private Format format = Format.v2;

        @Mixin
        private JsonOption json = new JsonOption();

        /** As they are written on the command line. */
        private enum Format {
            v0,
            v2
        }

        @Override
        public Integer call() {
            boolean[] problem = {false};
            List<Map<String, Object>> entries = new ArrayList<>();
            Consumer<LogDumper.Entry> show = entry -> {
                problem[0] |= entry instanceof LogDumper.ProblemEntry
                        || (entry instanceof LogDumper.BatchEntry batch && !batch.crcValid());
                if (json.chosen()) {
                    entries.add(asJson(entry));
                } else {
                    json.out().println(entry);
                }
            };
            if (format == Format.v0) {
                LogDumper.dumpAsFirstFormat(existing(path), show);
            } else {
                LogDumper.dump(existing(path), records, show);
            }
            json.print(entries, text -> {});
            return problem[0] ? ExitCode.FAILURE : ExitCode.OK;
        }

        private static Map<String, Object> asJson(LogDumper.Entry entry) {
            Map<String, Object> fields = new LinkedHashMap<>();
            switch (entry) {
                case LogDumper.FileEntry file -> {
                    fields.put("file", file.file().toString());
                    fields.put("sizeBytes", file.sizeBytes());
                }
                case LogDumper.BatchEntry batch -> fields.put("batch", batch);
                case LogDumper.RecordEntry one -> fields.put("record", one);
                case LogDumper.LineEntry line -> fields.put("line", line.text());
                case LogDumper.ProblemEntry problem -> fields.put("problem", problem);
            }
            return fields;
        }
    }

    /** What other modules keep in a data directory. */
    private static final List<DirectoryCheck> CHECKS = List.of(new QuorumFiles());

    /** {@code millrace log verify}. */
    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            header = "Checks every file of the data directory of a stopped broker, and mends it.",
            description = {
                "Reports damage with file, position and offset, and what to do about it. Exit code 1 when something is wrong.",
                "Changes nothing without --repair.",
                "",
                "  millrace log verify /var/lib/millrace",
                "  millrace log verify /var/lib/millrace --repair",
                ""
            })
    static final class Verify implements Callable<Integer> {
        @Parameters(paramLabel = "DIR", description = "A data directory (one of log.dirs).")
        private Path directory = Path.of("");

        @Option(
                names = "--repair",
                description =
                        "Mend what can be mended without losing a record: make anew what is derived, set headers right where the"
                                + " rest of a batch proves them, cut torn tails.")
        private boolean repair;

        @Option(
                names = "--accept-loss",
                description =
                        "With --repair: make damaged logs usable without the records that are reported as lost. Their bytes go into"
                                + " files that end with .damaged. Restore a backup instead if there is one.")
        private boolean acceptLoss;

        @Mixin
        private JsonOption json = new JsonOption();

        // Set by picocli before call().
        @SuppressWarnings("NullAway.Init")
        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            if (acceptLoss && !repair) {
                throw new ParameterException(spec.commandLine(), "--accept-loss has a meaning with --repair only");
            }
            Optional<RepairReport> repaired = repair
                    ? Optional.of(LogVerifier.repair(existing(directory), acceptLoss, CHECKS))
                    : Optional.empty();
            VerifyReport report =
                    repaired.map(RepairReport::after).orElseGet(() -> LogVerifier.verify(existing(directory), CHECKS));
            Map<String, Object> fields = asJson(report);
            repaired.ifPresent(one -> {
                fields.put("done", one.done());
                fields.put("refused", one.refused());
            });
            json.print(fields, text -> {
                repaired.ifPresent(one -> {
                    one.done().forEach(line -> text.println("DONE " + line));
                    one.refused().forEach(line -> text.println("REFUSED " + line));
                });
                report.findings().forEach(text::println);
                text.printf(
                        "%s: %d logs, %d segments, %d batches, %d bytes, %s%n",
                        report.isHealthy() ? "healthy" : "NOT healthy",
                        report.logs(),
                        report.segments(),
                        report.batches(),
                        report.bytes(),
                        Plural.of(report.findings().size(), "finding"));
            });
            return report.isHealthy() ? ExitCode.OK : ExitCode.FAILURE;
        }

        private static Map<String, Object> asJson(VerifyReport report) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("healthy", report.isHealthy());
            fields.put("logs", report.logs());
            fields.put("segments", report.segments());
            fields.put("batches", report.batches());
            fields.put("bytes", report.bytes());
            fields.put(
                    "findings",
                    report.findings().stream()
                            .map(finding -> Map.of(
                                    "severity", finding.severity().toString(),
                                    "file", finding.file().toString(),
                                    "position", finding.position(),
                                    "offset", finding.offset(),
                                    "message", finding.message(),
                                    "remedy", finding.remedy()))
                            .toList());
            return fields;
        }
    }
}
