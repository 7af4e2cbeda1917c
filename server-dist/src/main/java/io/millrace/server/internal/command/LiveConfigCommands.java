package io.millrace.server.internal.command;

import io.millrace.broker.config.DynamicKeys;
import io.millrace.server.internal.kafka.ConfigAdmin;
import io.millrace.server.internal.kafka.ConfigAdmin.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The part of {@code millrace config} that talks to a running broker. */
final class LiveConfigCommands {
    private LiveConfigCommands() {}

    /** The frame of them: connects, works, prints. */
    abstract static class Action implements Callable<Integer> {
        // Set by picocli before call().
        @SuppressWarnings("NullAway.Init")
        @Spec
        private CommandSpec spec;

        @Parameters(index = "0", paramLabel = "OF", description = ConfigTarget.FORMS)
        private String of = "";

        @Option(
                names = "--client-id",
                paramLabel = "ID",
                description =
                        "With user:NAME, only the user's clients of this id; '' for all that have no limits of their own.")
        private @Nullable String clientId;

        @Mixin
        private KafkaOptions kafka = new KafkaOptions();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws IOException, InterruptedException {
            ConfigTarget target = ConfigTarget.parse(of);
            check(target);
            try (ConfigAdmin admin = new ConfigAdmin(kafka.cluster())) {
                run(admin, target, json);
            }
            return ExitCode.OK;
        }

        PrintWriter err() {
            return spec.commandLine().getErr();
        }

        Optional<String> client() {
            return Optional.ofNullable(clientId);
        }

        /** Refuses what makes no sense before anybody is connected to. */
        abstract void check(ConfigTarget target);

        abstract void run(ConfigAdmin admin, ConfigTarget target, JsonOption json) throws InterruptedException;
    }

    /** {@code show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            header = "Shows what applies to a running broker, a topic, a group, a user, a client or an address.",
            description = {
                "  millrace config show broker:1 --name retention        what applies, and where it was set",
                "  millrace config show broker                           what was set for all brokers",
                "  millrace config show topic:orders --set               only what the topic sets for itself",
                "  millrace config show user:ann --client-id app         limits; see `millrace config alter --help`",
                ""
            })
    static final class Show extends Action {
        @Option(names = "--name", paramLabel = "TEXT", description = "Only settings whose name is, or contains, this.")
        private String name = "";

        @Option(names = "--set", description = "Only what was set for just this, while the broker ran.")
        private boolean onlySet;

        @Override
        void check(ConfigTarget target) {
            if (target.kind().isEmpty()) {
                target.limited(client());
            }
        }

        @Override
        void run(ConfigAdmin admin, ConfigTarget target, JsonOption json) throws InterruptedException {
            if (target.kind().isEmpty()) {
                Map<String, Double> limits = admin.limits(target.limited(client()));
                json.print(limits, text -> {
                    limits.forEach((key, value) -> text.printf("%s = %s%n", key, number(value)));
                    if (limits.isEmpty()) {
                        text.printf("no limits are set for %s%n", target.text(client()));
                    }
                });
                return;
            }
            List<Setting> all = admin.describe(target.kind().get(), target.name());
            boolean exact = all.stream().anyMatch(setting -> setting.name().equals(name));
            List<Setting> chosen = all.stream()
                    .filter(setting ->
                            exact ? setting.name().equals(name) : setting.name().contains(name))
                    .filter(setting -> setting.set() || !onlySet)
                    .toList();
            json.print(chosen, text -> print(text, chosen, target));
        }

        private static void print(PrintWriter out, List<Setting> settings, ConfigTarget target) {
            for (Setting setting : settings) {
                out.printf(
                        "%s = %s   (%s%s)%n",
                        setting.name(),
                        setting.value(),
                        setting.source(),
                        setting.changeable() ? "" : "; changes with a restart");
            }
            if (settings.isEmpty()) {
                out.printf("nothing of that is set for %s%n", target);
            }
        }
    }

    /** {@code alter}. */
    @Command(
            name = "alter",
            mixinStandardHelpOptions = true,
            header = "Changes settings and limits while brokers run; all that is named, or nothing.",
            description = {
                "  millrace config alter broker log.retention.ms=86400000            all brokers",
                "  millrace config alter broker:1 max.connections=2000               this one, and it wins",
                "  millrace config alter topic:orders retention.ms=3600000 flush=os",
                "  millrace config alter group:billing consumer.session.timeout.ms=30000",
                "",
                "Users, clients and addresses have limits: producer_byte_rate, consumer_byte_rate (bytes per second), request_percentage,",
                "controller_mutation_rate, and for addresses connection_creation_rate. What is said of user and client together goes before",
                "what is said of one of them, and a name goes before those without one.",
                "",
                "  millrace config alter client:importer producer_byte_rate=1048576",
                "  millrace config alter user:ann --client-id app consumer_byte_rate=2097152",
                "  millrace config alter user producer_byte_rate=1048576             every user without limits of its own",
                ""
            })
    static final class Alter extends Action {
        @Parameters(index = "1..*", arity = "1..*", paramLabel = "KEY=VALUE", description = "What to set.")
        private Map<String, String> settings = new LinkedHashMap<>();

        @Override
        void check(ConfigTarget target) {
            if (target.kind().isEmpty()) {
                target.limited(client());
                limits();
            }
        }

        private Map<String, Double> limits() {
            Map<String, Double> limits = new LinkedHashMap<>();
            settings.forEach((key, value) -> {
                try {
                    limits.put(key, Double.parseDouble(value));
                } catch (NumberFormatException e) {
                    throw new CommandFailure(ExitCode.USAGE, key + " is a number per second, not '" + value + "'");
                }
            });
            return limits;
        }

        @Override
        void run(ConfigAdmin admin, ConfigTarget target, JsonOption json) throws InterruptedException {
            if (target.kind().isPresent()) {
                admin.alter(target.kind().get(), target.name(), settings, List.of());
            } else {
                admin.alterLimits(target.limited(client()), limits(), List.of());
            }
            json.print(
                    settings,
                    text -> settings.forEach(
                            (key, value) -> text.printf("%s = %s for %s%n", key, value, target.text(client()))));
            if (target.kind().equals(Optional.of(ConfigAdmin.Kind.BROKER))) {
                settings.keySet()
                        .forEach(key -> DynamicKeys.withoutEffect(key)
                                .ifPresent(why -> err().printf("%s has no effect while brokers run: %s%n", key, why)));
            }
        }
    }

    /** {@code unset}. */
    @Command(
            name = "unset",
            mixinStandardHelpOptions = true,
            header = "Takes back what was set while brokers ran: what is in the file, or the default, applies again.",
            description = {
                "  millrace config unset topic:orders retention.ms",
                "  millrace config unset broker log.retention.ms max.connections",
                "  millrace config unset user:ann producer_byte_rate",
                ""
            })
    static final class Unset extends Action {
        @Parameters(index = "1..*", arity = "1..*", paramLabel = "KEY", description = "What to take back.")
        private List<String> keys = List.of();

        @Override
        void check(ConfigTarget target) {
            if (target.kind().isEmpty()) {
                target.limited(client());
            }
        }

        @Override
        void run(ConfigAdmin admin, ConfigTarget target, JsonOption json) throws InterruptedException {
            if (target.kind().isPresent()) {
                admin.alter(target.kind().get(), target.name(), Map.of(), keys);
            } else {
                admin.alterLimits(target.limited(client()), Map.of(), keys);
            }
            json.print(
                    keys,
                    text -> keys.forEach(
                            key -> text.printf("%s is no longer set for %s%n", key, target.text(client()))));
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
