package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.frame.DescribedConfig;
import io.millrace.wire.name.DestinationKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code alter} of queues and topics. */
@Command(
        name = "alter",
        mixinStandardHelpOptions = true,
        header = "Changes settings and the number of partitions of one while it is in use.",
        description = {
            "All are changed or none. They hold from then on, over restarts too.",
            "",
            "  millrace queues alter orders --config retention.ms=86400000 --config flush=os",
            "  millrace queues alter orders --unset flush",
            "  millrace queues alter orders --partitions 4",
            ""
        })
final class AlterAction extends DestinationsCommand.Action {

    @Parameters(paramLabel = "NAME", description = "Its name.")
    private String name = "";

    @Option(
            names = "--config",
            paramLabel = "KEY=VALUE",
            description = "A setting of its own; see `millrace config describe` for those that can be overridden.")
    private Map<String, String> config = new LinkedHashMap<>();

    @Option(names = "--unset", paramLabel = "KEY", description = "Goes by the broker's setting again.")
    private List<String> unset = new ArrayList<>();

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = {
                "How many partitions it shall have, not fewer than now. Consumers take the new ones in within seconds; a session goes on"
                        + " sending to the partition that it has, and message groups of later sessions go where their key leads among"
                        + " so many."
            })
    private int partitions = -1;

    @Override
    void run(MillraceAdmin admin, DestinationKind kind, JsonOption json) {
        Map<String, Optional<String>> changes = new LinkedHashMap<>();
        config.forEach((key, value) -> changes.put(key, Optional.of(value)));
        for (String key : unset) {
            if (changes.put(key, Optional.empty()) != null) {
                throw new CommandFailure(ExitCode.USAGE, key + " is both set and unset");
            }
        }
        if (changes.isEmpty() && partitions < 0) {
            throw new CommandFailure(
                    ExitCode.USAGE, "nothing to alter: give --config KEY=VALUE, --unset KEY or --partitions N");
        }
        UUID logId = admin.alter(kind, name, partitions, changes).logId();
        List<DescribedConfig> settings = admin.describeLog(logId).config().stream()
                .filter(setting -> changes.containsKey(setting.key()))
                .toList();
        json.print(Map.of("name", name, "kind", kind.word(), "config", settings), text -> {
            text.printf("altered %s %s%n", kind.word(), name);
            settings.forEach(setting -> text.printf("  %s=%s%n", setting.key(), setting.value()));
        });
    }
}
