package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.server.internal.jms.OutstandingSends;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace produce}. */
@Command(
        name = "produce",
        mixinStandardHelpOptions = true,
        header = "Sends the lines of standard input, a persistent text message each.",
        description = {
            "Ends when the input ends and every message is stored.",
            "",
            "  echo 'hello' | millrace produce queue:orders",
            "  millrace produce topic:prices < prices.txt",
            ""
        })
final class ProduceCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DEST",
            description = DestinationReference.HELP,
            converter = DestinationReference.Converter.class)
    private DestinationReference destination = new DestinationReference(Optional.empty(), "");

    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private JsonOption json = new JsonOption();

    // Set by picocli before call().
    @SuppressWarnings("NullAway.Init")
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, JMSException {
        DestinationKind kind;
        try (MillraceAdmin admin = MillraceAdmin.connect(server.url())) {
            kind = destination.resolveKind(admin);
        }
        int sent;
        try (Connection connection = server.connectionFactory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            OutstandingSends sends =
                    new OutstandingSends(session.createProducer(destination.destination(session, kind)));
            // Standard input belongs to whoever started the process and is not closed here.
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                sends.send(session.createTextMessage(line));
            }
            sends.await();
            sent = sends.confirmed();
        }
        String name = kind.word() + ":" + destination.name();
        json.print(
                spec.commandLine().getOut(),
                Map.of("destination", name, "messages", sent),
                out -> out.printf("%d message%s stored in %s%n", sent, sent == 1 ? "" : "s", name));
        return ExitCode.OK;
    }
}
