package io.millrace.server.internal.command;

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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
    @Mixin
    private DestinationOptions destination = new DestinationOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException, JMSException {
        DestinationKind kind = destination.resolveKind();
        int sent;
        try (Connection connection = destination.connectionFactory().createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            OutstandingSends sends = new OutstandingSends(
                    session.createProducer(destination.reference().destination(session, kind)));
            // Standard input belongs to whoever started the process and is not closed here.
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                sends.send(session.createTextMessage(line));
            }
            sends.await();
            sent = sends.confirmed();
        }
        String name = kind.word() + ":" + destination.reference().name();
        json.print(
                Map.of("destination", name, "messages", sent),
                out -> out.printf("%s stored in %s%n", Plural.of(sent, "message"), name));
        return ExitCode.OK;
    }
}
