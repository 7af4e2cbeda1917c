package io.millrace.server.internal.command;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import picocli.CommandLine.Option;

/** Which broker a command talks to. */
final class ServerOption {
    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9092",
            description = "The broker; several may be given, separated by commas. Default: ${DEFAULT-VALUE}.")
    private String server = "127.0.0.1:9092";

    MillraceAdmin connectAdmin() {
        return MillraceAdmin.connect(url());
    }

    MillraceConnectionFactory connectionFactory() {
        return new MillraceConnectionFactory(url());
    }

    private String url() {
        return "millrace://" + server;
    }
}
