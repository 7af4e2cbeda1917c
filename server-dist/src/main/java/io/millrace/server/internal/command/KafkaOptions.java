package io.millrace.server.internal.command;

import io.millrace.server.internal.kafka.KafkaCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which broker a command talks to by Kafka's protocol, and how. */
final class KafkaOptions {
    private static final int DEFAULT_PORT = 9092;

    @Option(
            names = {"--server", "--bootstrap-server"},
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9092",
            description = "The broker; several may be given, separated by commas. Default: ${DEFAULT-VALUE}.")
    private String servers = "127.0.0.1:9092";

    @Option(
            names = "--client",
            paramLabel = "KEY=VALUE",
            description = "A setting of Kafka's client, such as security.protocol=SASL_SSL or compression.type=lz4.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = {"--client-config", "--command-config"},
            paramLabel = "FILE",
            description = "A file of such settings, as Kafka's tools take it; --client goes before it.")
    private @Nullable Path file;

    KafkaCluster cluster() throws IOException {
        KafkaCluster.silenceClients();
        Map<String, String> all = new LinkedHashMap<>();
        if (file != null) {
            all.putAll(SettingsFile.read(file, List.of()));
        }
        all.putAll(settings);
        return new KafkaCluster(
                Arrays.stream(servers.split(",", -1))
                        .map(KafkaOptions::withPort)
                        .collect(Collectors.joining(",")),
                all);
    }

    private static String withPort(String text) {
        String server = text.strip();
        if (server.isEmpty() || server.contains("://") || server.contains("?")) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--server: '" + server
                            + "' is no HOST:PORT. This command speaks Kafka's protocol: logins and TLS are"
                            + " settings of Kafka's client, --client KEY=VALUE or --client-config FILE");
        }
        boolean hasPort = server.indexOf(':', Math.max(0, server.lastIndexOf(']'))) >= 0;
        return hasPort ? server : server + ":" + DEFAULT_PORT;
    }
}
