package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.frame.CursorDescription;
import io.millrace.wire.frame.DescribedConfig;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.DestinationSummary;
import io.millrace.wire.frame.LogDescribed;
import io.millrace.wire.frame.PartitionDescription;
import io.millrace.wire.name.DestinationKind;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** What {@code millrace queues} and {@code millrace topics} have in common: everything but the kind. */
abstract class DestinationsCommand extends CommandGroup {
    private final DestinationKind kind;

    DestinationsCommand(DestinationKind kind) {
        super("What to do? `%s create|list|describe|alter|purge|delete`, for example `%s list`.");
        this.kind = kind;
    }

    /** The frame of the subcommands: connects, works, prints. */
    abstract static class Action implements Callable<Integer> {
        // Set by picocli before call().
        @SuppressWarnings("NullAway.Init")
        @ParentCommand
        private DestinationsCommand parent;

        @Mixin
        private ServerOption server = new ServerOption();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() {
            try (MillraceAdmin admin = server.connectAdmin()) {
                run(admin, parent.kind, json);
            }
            return ExitCode.OK;
        }

        abstract void run(MillraceAdmin admin, DestinationKind kind, JsonOption json);
    }

    /** {@code create}. */
    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            header = "Creates one.",
            description = {"  millrace queues create orders --partitions 4 --config retention.ms=86400000", ""})
    static final class Create extends Action {
        @Parameters(paramLabel = "NAME", description = "Its name.")
        private String name = "";

        @Option(
                names = "--partitions",
                paramLabel = "N",
                description = "How many partitions; the broker's num.partitions unless given.")
        private int partitions = -1;

        @Option(
                names = "--config",
                paramLabel = "KEY=VALUE",
                description = "A setting of its own; see `millrace config describe` for those that can be overridden.")
        private Map<String, String> config = new LinkedHashMap<>();

        @Override
        void run(MillraceAdmin admin, DestinationKind kind, JsonOption json) {
            DestinationDescribed created = admin.create(kind, name, partitions, config);
            json.print(
                    Map.of(
                            "name",
                            name,
                            "kind",
                            kind.word(),
                            "partitions",
                            created.partitions().size()),
                    text -> text.printf(
                            "created %s %s with %s%n",
                            kind.word(), name, Plural.of(created.partitions().size(), "partition")));
        }
    }

    /** {@code list}. */
    @Command(name = "list", mixinStandardHelpOptions = true, header = "Lists all, with messages and bytes.")
    static final class ListAll extends Action {
        @Override
        void run(MillraceAdmin admin, DestinationKind kind, JsonOption json) {
            List<DestinationSummary> all = admin.list(Optional.of(kind));
            json.print(all.stream().map(ListAll::asJson).toList(), text -> {
                text.printf("%-48s %10s %14s %16s%n", "NAME", "PARTITIONS", "MESSAGES", "BYTES");
                for (DestinationSummary one : all) {
                    text.printf("%-48s %10d %14d %16d%n", one.name(), one.partitions(), one.messages(), one.bytes());
                }
            });
        }

        private static Map<String, Object> asJson(DestinationSummary one) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", one.name());
            fields.put("kind", one.kind().word());
            fields.put("logId", one.logId().toString());
            fields.put("partitions", one.partitions());
            fields.put("messages", one.messages());
            fields.put("bytes", one.bytes());
            return fields;
        }
    }

    /** {@code describe}. */
    @Command(
            name = "describe",
            mixinStandardHelpOptions = true,
            header =
                    "Shows one: its own settings, partitions with their offsets, subscriptions with what they have not acknowledged.")
    static final class Describe extends Action {
        @Parameters(paramLabel = "NAME", description = "Its name.")
        private String name = "";

        @Option(names = "--all", description = "Also the settings that are the broker's; --json always has them.")
        private boolean all;

        @Override
        void run(MillraceAdmin admin, DestinationKind kind, JsonOption json) {
            DestinationDescribed described = admin.describe(Optional.of(kind), name);
            LogDescribed log = admin.describeLog(described.logId());
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", name);
            fields.put("kind", kind.word());
            fields.put("logId", described.logId().toString());
            fields.put("config", log.config());
            fields.put("partitions", log.partitions());
            json.print(fields, text -> print(text, kind, described, log));
        }

        private void print(PrintWriter out, DestinationKind kind, DestinationDescribed described, LogDescribed log) {
            out.printf("%s %s, log %s%n", kind.word(), name, described.logId());
            List<DescribedConfig> shown = log.config().stream()
                    .filter(setting -> all || !setting.isDefault())
                    .toList();
            for (DescribedConfig setting : shown) {
                out.printf(
                        "  %s=%s   (%s)%n",
                        setting.key(),
                        setting.value(),
                        setting.isDefault() ? "of the broker" : "set for this " + kind.word());
            }
            if (!all) {
                out.printf(
                        "  %s as the broker has them (--all shows them)%n",
                        Plural.of(log.config().size() - shown.size(), shown.isEmpty() ? "setting" : "other setting"));
            }
            for (PartitionDescription partition : log.partitions()) {
                out.printf(
                        "  partition %d: leader %d (epoch %d), offsets %d to %d, high watermark %d, synced %d, %s in %s%n",
                        partition.partition(),
                        partition.leaderBrokerId(),
                        partition.leaderEpoch(),
                        partition.logStart(),
                        partition.logEnd(),
                        partition.highWatermark(),
                        partition.synced(),
                        Plural.of(partition.sizeBytes(), "byte"),
                        Plural.of(partition.segments(), "segment"));
                for (CursorDescription cursor : partition.cursors()) {
                    out.printf(
                            "    %s: next offset %d, %d unacknowledged, %d of them with %s%s%n",
                            cursor.name().isEmpty() ? "queue" : cursor.name(),
                            cursor.nextOffset(),
                            cursor.unacknowledged(),
                            cursor.acquired(),
                            Plural.of(cursor.consumers(), "consumer"),
                            cursor.lost() == 0 ? "" : "; " + cursor.lost() + " removed by retention before that");
                }
            }
        }
    }

    /** {@code delete}. */
    @Command(name = "delete", mixinStandardHelpOptions = true, header = "Deletes one with all its messages.")
    static final class Delete extends Action {
        @Parameters(paramLabel = "NAME", description = "Its name.")
        private String name = "";

        @Override
        void run(MillraceAdmin admin, DestinationKind kind, JsonOption json) {
            admin.delete(kind, name);
            json.print(
                    Map.of("name", name, "kind", kind.word()),
                    text -> text.printf("deleted %s %s%n", kind.word(), name));
        }
    }
}
