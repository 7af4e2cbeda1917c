package io.millrace.server.internal.command;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.ReplacedKey;
import io.millrace.log.config.ConfigKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace config}. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        header = "Explains settings, checks files, and changes settings of running brokers.",
        description = {
            "  millrace config describe --name retention               what there is, and what it means",
            "  millrace config show broker:1                           what applies to a running broker",
            "  millrace config alter topic:orders retention.ms=3600000 while it runs",
            ""
        },
        subcommands = {
            ConfigCommand.Describe.class,
            LiveConfigCommands.Show.class,
            LiveConfigCommands.Alter.class,
            LiveConfigCommands.Unset.class
        })
final class ConfigCommand extends CommandGroup {
    ConfigCommand() {
        super("What about the settings? `%s describe|show|alter|unset`, for example `%s describe`.");
    }

    /** {@code millrace config describe}. */
    @Command(
            name = "describe",
            mixinStandardHelpOptions = true,
            header = "Lists the settings: value, default, meaning.",
            description = {
                "With --config, the values are those of that file, and the file is checked.",
                "",
                "Settings of Kafka that are accepted and have no effect are shown with what takes their place.",
                "",
                "  millrace config describe --name log.segment.bytes",
                "  millrace config describe --config server.properties --broker 1 --name zookeeper.connect",
                "  millrace config describe --config server.properties --json"
            })
    static final class Describe implements Callable<Integer> {
        @Option(names = "--name", paramLabel = "TEXT", description = "Only settings whose name is, or contains, this.")
        private String name = "";

        @Option(names = "--config", paramLabel = "FILE", description = "A properties file whose values are shown.")
        private @Nullable Path config;

        @Option(
                names = "--broker",
                paramLabel = "ID",
                description = "The broker that is meant: checked against the broker.id of the settings.")
        private @Nullable Integer broker;

        @Mixin
        private JsonOption json = new JsonOption();

        @Option(names = "--markdown", description = "Print the page docs/configuration.md.")
        private boolean markdown;

        @Override
        public Integer call() throws IOException {
            if (markdown) {
                PrintWriter out = json.out();
                out.print(ConfigurationPage.markdown());
                out.flush();
                return ExitCode.OK;
            }
            BrokerConfig values = BrokerConfig.of(SettingsFile.read(config, List.of()));
            values.warnings().forEach(warning -> json.err().println("millrace: " + warning));
            requireBroker(values);
            List<ConfigKey<?>> keys = chosenKeys();
            List<ReplacedKey> replaced = replacedKeys(keys);
            if (keys.isEmpty() && replaced.isEmpty()) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "no setting is called or contains '" + name + "'; `millrace config describe` lists all");
            }
            json.print(asJson(keys, replaced, values), text -> {
                print(text, keys, values);
                print(text, replaced);
            });
            return ExitCode.OK;
        }

        private void requireBroker(BrokerConfig values) {
            int id = values.get(BrokerKeys.BROKER_ID);
            if (broker != null && broker != id) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "these are the settings of broker " + id + ", not " + broker + "; name its file with --config");
            }
        }

        /** Those that are called so, or, if nothing is, that contain it. All of them are not listed unless somebody asks. */
        private List<ReplacedKey> replacedKeys(List<ConfigKey<?>> keys) {
            boolean exact = keys.size() == 1 && keys.getFirst().name().equals(name);
            String part = name.toLowerCase(Locale.ROOT);
            List<ReplacedKey> same = ReplacedKey.all().stream()
                    .filter(key -> key.name().equals(name))
                    .toList();
            if (exact || name.isEmpty() || !same.isEmpty()) {
                return same;
            }
            return ReplacedKey.all().stream()
                    .filter(key -> key.name().contains(part))
                    .toList();
        }

        private List<ConfigKey<?>> chosenKeys() {
            List<ConfigKey<?>> all = BrokerKeys.ALL.all();
            List<ConfigKey<?>> exact =
                    all.stream().filter(key -> key.name().equals(name)).toList();
            String part = name.toLowerCase(Locale.ROOT);
            return exact.isEmpty()
                    ? all.stream().filter(key -> key.name().contains(part)).toList()
                    : exact;
        }

        private static List<Map<String, Object>> asJson(
                List<ConfigKey<?>> keys, List<ReplacedKey> replaced, BrokerConfig values) {
            return Stream.concat(asJson(keys, values), replaced.stream().map(Describe::asJson))
                    .toList();
        }

        private static Map<String, Object> asJson(ReplacedKey key) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", key.name());
            one.put("value", key.defaultText());
            one.put("default", key.defaultText());
            one.put("effect", false);
            one.put("documentation", key.replacement());
            return one;
        }

        private static Stream<Map<String, Object>> asJson(List<ConfigKey<?>> keys, BrokerConfig values) {
            return keys.stream().map(key -> {
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("name", key.name());
                one.put("value", values.textOf(key));
                one.put("default", key.defaultText());
                one.put("type", key.type().name());
                one.put("mustBe", key.ruleTexts());
                key.destinationName().ifPresent(there -> one.put("perDestination", there));
                one.put("documentation", key.documentation());
                return one;
            });
        }

        private static void print(PrintWriter out, List<ConfigKey<?>> keys, BrokerConfig values) {
            for (ConfigKey<?> key : keys) {
                String value = values.textOf(key);
                String origin = value.equals(key.defaultText()) ? "default" : "default: " + key.defaultText();
                out.printf("%s = %s   (%s, %s)%n", key.name(), value, key.type().name(), origin);
                out.println(CommandLine.Help.Ansi.AUTO.string(wrapped(key.documentation())));
            }
        }

        private static void print(PrintWriter out, List<ReplacedKey> keys) {
            for (ReplacedKey key : keys) {
                out.printf("%s = %s   (default of Kafka, without effect here)%n", key.name(), key.defaultText());
                out.println(wrapped(key.replacement()));
            }
        }

        private static String wrapped(String text) {
            StringBuilder lines = new StringBuilder("   ");
            int column = 3;
            for (String word : text.split(" ", -1)) {
                if (column + word.length() > 110) {
                    lines.append("\n   ");
                    column = 3;
                }
                lines.append(column == 3 ? "" : " ").append(word);
                column += word.length() + 1;
            }
            return lines.toString();
        }
    }
}
