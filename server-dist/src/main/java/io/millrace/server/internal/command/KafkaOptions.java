package io.millrace.server.internal.command;

import io.millrace.server.internal.kafka.KafkaCluster;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which broker a command talks to by Kafka's protocol, and how. */
final class KafkaOptions {
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

    KafkaCluster cluster() {
        KafkaCluster.silenceClients();
        return new KafkaCluster(servers, settings);
    }
}
