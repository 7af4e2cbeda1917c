package io.millrace.server.internal.command;

import io.millrace.server.internal.kafka.GroupAdmin;
import io.millrace.server.internal.kafka.GroupAdmin.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace groups}. */
@Command(
        name = "groups",
        mixinStandardHelpOptions = true,
        header = "Lists, describes, resets and deletes groups of Kafka clients.",
        description = {
            "A group of Kafka consumers reads a topic together and keeps one number for each partition: the offset that it reads next. "
                    + "Nothing else changes when it reads, so a group may be put back, or forward, at will.",
            "",
            "Share groups and Streams groups are listed and described too; kafka-share-groups.sh and kafka-streams-groups.sh do the rest.",
            "",
            "  millrace groups list",
            "  millrace groups describe billing",
            "  millrace groups reset billing --topic orders --to-datetime 2026-11-30T08:00",
            ""
        },
        subcommands = {
            GroupsCommand.ListAll.class,
            GroupsCommand.Describe.class,
            GroupsCommand.Reset.class,
            GroupsCommand.Delete.class
        })
final class GroupsCommand extends CommandGroup {
    GroupsCommand() {
        super("What to do? `%s list|describe|reset|delete`, for example `%s list`.");
    }

    /** The frame of the subcommands: connects, works, prints. */
    abstract static class Action implements Callable<Integer> {
        @Mixin
        private KafkaOptions kafka = new KafkaOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws IOException, InterruptedException {
            check();
            try (GroupAdmin admin = new GroupAdmin(kafka.cluster())) {
                run(admin, json);
            }
            return ExitCode.OK;
        }

        /** Refuses what makes no sense before anybody is connected to. */
        void check() {}

        abstract void run(GroupAdmin admin, JsonOption json) throws InterruptedException;
    }

    /** {@code list}. */
    @Command(name = "list", mixinStandardHelpOptions = true, header = "Lists all groups, of every protocol.")
    static final class ListAll extends Action {
        @Override
        void run(GroupAdmin admin, JsonOption json) throws InterruptedException {
            List<GroupAdmin.Summary> all = admin.list();
            json.print(all, text -> {
                text.printf("%-48s %-10s %s%n", "GROUP", "TYPE", "STATE");
                all.forEach(one -> text.printf("%-48s %-10s %s%n", one.group(), one.type(), one.state()));
            });
        }
    }

    /** {@code describe}. */
    @Command(
            name = "describe",
            mixinStandardHelpOptions = true,
            header = "Shows where a group stands in each partition, how much it has still to read, and its members.",
            description = {
                "A member that reads no partition is idle: there are more members than partitions, and it takes over when another one goes.",
                "Of a share group the offset is that of the first record that is not done, and several members may read a partition.",
                "A Streams group does not say which member reads a partition.",
                ""
            })
    static final class Describe extends Action {
        @Parameters(paramLabel = "GROUP", description = "Its name.")
        private String group = "";

        @Override
        void run(GroupAdmin admin, JsonOption json) throws InterruptedException {
            GroupAdmin.Description found = admin.describe(group);
            json.print(document(found), text -> print(text, found));
        }

        private static Map<String, Object> document(GroupAdmin.Description found) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("group", found.group());
            document.put("type", found.type());
            document.put("state", found.state());
            document.put("members", found.members());
            document.put(
                    "positions",
                    found.positions().stream()
                            .map(one -> {
                                Map<String, Object> position = new LinkedHashMap<>();
                                position.put("topic", one.topic());
                                position.put("partition", one.partition());
                                one.offset().ifPresent(offset -> position.put("offset", offset));
                                position.put("end", one.end());
                                one.lag().ifPresent(lag -> position.put("lag", lag));
                                position.put("member", one.member());
                                return position;
                            })
                            .toList());
            return document;
        }

        private static void print(PrintWriter out, GroupAdmin.Description found) {
            out.printf(
                    "group %s (%s), %s, %s%n",
                    found.group(),
                    found.type(),
                    found.state(),
                    Plural.of(found.members().size(), "member"));
            out.printf("%-40s %9s %12s %12s %10s  %s%n", "TOPIC", "PARTITION", "OFFSET", "END", "LAG", "MEMBER");
            for (GroupAdmin.Position one : found.positions()) {
                out.printf(
                        "%-40s %9d %12s %12d %10s  %s%n",
                        one.topic(),
                        one.partition(),
                        one.offset().map(String::valueOf).orElse("-"),
                        one.end(),
                        one.lag().map(String::valueOf).orElse("-"),
                        one.member().isEmpty() ? "-" : one.member());
            }
            for (GroupAdmin.Member member : found.members()) {
                if (member.partitions() == 0) {
                    out.printf("idle: %s of client %s at %s%n", member.id(), member.client(), member.host());
                }
            }
        }
    }

    /** {@code reset}. */
    @Command(
            name = "reset",
            mixinStandardHelpOptions = true,
            header = "Puts a group of consumers to other offsets: it must have no members meanwhile.",
            description = {
                "  millrace groups reset billing --to-earliest                   read everything again",
                "  millrace groups reset billing --topic orders --to-latest      skip what it has not read",
                "  millrace groups reset billing --to-datetime 2026-11-30T08:00 --dry-run",
                "",
                "Share groups and Streams groups are reset with kafka-share-groups.sh and kafka-streams-groups.sh.",
                "An offset that is not there becomes the nearest that is. A date and time without an offset, such as Z or +01:00, is local.",
                ""
            })
    static final class Reset extends Action {
        @Parameters(paramLabel = "GROUP", description = "Its name.")
        private String group = "";

        @Option(
                names = "--topic",
                paramLabel = "TOPIC",
                description = "In this topic only. Default: every topic that the group has positions in.")
        private @Nullable String topic;

        @ArgGroup(multiplicity = "1")
        private Where where = new Where();

        @Option(names = "--dry-run", description = "Show what would be, and change nothing.")
        private boolean rehearse;

        /** Exactly one of them is given. */
        static final class Where {
            // Whichever is given says it; that this one is not read follows from the group, which takes exactly one.
            @SuppressWarnings("UnusedVariable")
            @Option(names = "--to-earliest", description = "To the oldest record there is.")
            private boolean earliest;

            @Option(names = "--to-latest", description = "To the end: only what is sent from now on is read.")
            private boolean latest;

            @Option(names = "--to-offset", paramLabel = "N", description = "To this offset.")
            private @Nullable Long offset;

            @Option(names = "--shift-by", paramLabel = "N", description = "N records forward; backward if negative.")
            private @Nullable Long shift;

            @Option(
                    names = "--to-datetime",
                    paramLabel = "TIME",
                    description = "To the first record that is not older than 2026-11-30T08:00[:00][Z].")
            private @Nullable String time;

            Target target() {
                if (offset != null) {
                    return new Target.Offset(offset);
                }
                if (shift != null) {
                    return new Target.Shift(shift);
                }
                if (time != null) {
                    return new Target.Time(instant(time).toEpochMilli());
                }
                return latest ? new Target.Latest() : new Target.Earliest();
            }

            private static Instant instant(String text) {
                try {
                    return OffsetDateTime.parse(text).toInstant();
                } catch (DateTimeException noOffset) {
                    try {
                        return LocalDateTime.parse(text)
                                .atZone(ZoneId.systemDefault())
                                .toInstant();
                    } catch (DateTimeException wrong) {
                        throw new CommandFailure(
                                ExitCode.USAGE,
                                "--to-datetime must look like 2026-11-30T08:00 or 2026-11-30T08:00:00Z, is " + text,
                                wrong);
                    }
                }
            }
        }

        @Override
        void check() {
            where.target();
        }

        @Override
        void run(GroupAdmin admin, JsonOption json) throws InterruptedException {
            List<GroupAdmin.Change> changes = admin.reset(group, Optional.ofNullable(topic), where.target(), rehearse);
            if (changes.isEmpty()) {
                throw new CommandFailure(
                        ExitCode.FAILURE, "group " + group + " has no positions; say where with --topic");
            }
            json.print(changes.stream().map(Reset::document).toList(), text -> {
                text.printf("%-40s %9s %12s %12s%n", "TOPIC", "PARTITION", "FROM", rehearse ? "WOULD BE" : "TO");
                changes.forEach(one -> text.printf(
                        "%-40s %9d %12s %12d%n",
                        one.topic(),
                        one.partition(),
                        one.from().map(String::valueOf).orElse("-"),
                        one.to()));
            });
        }

        private static Map<String, Object> document(GroupAdmin.Change change) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("topic", change.topic());
            document.put("partition", change.partition());
            change.from().ifPresent(from -> document.put("from", from));
            document.put("to", change.to());
            return document;
        }
    }

    /** {@code delete}. */
    @Command(
            name = "delete",
            mixinStandardHelpOptions = true,
            header = "Deletes a group of consumers with its offsets: it must have no members.")
    static final class Delete extends Action {
        @Parameters(paramLabel = "GROUP", description = "Its name.")
        private String group = "";

        @Override
        void run(GroupAdmin admin, JsonOption json) throws InterruptedException {
            admin.delete(group);
            json.print(Map.of("group", group), text -> text.printf("deleted group %s%n", group));
        }
    }
}
