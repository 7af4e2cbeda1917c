package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.frame.DestinationPurged;
import io.millrace.wire.name.DestinationKind;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code purge} of queues and topics. */
@Command(
        name = "purge",
        mixinStandardHelpOptions = true,
        header = "Removes the messages of a queue, or of one subscription of a topic.",
        description = {
            "Messages that a consumer has stay with it. Asks before it removes anything, unless --yes is given.",
            "",
            "  millrace queues purge orders --dry-run",
            "  millrace topics purge news --subscription archive --client-id office --yes",
            ""
        })
final class PurgeAction extends DestinationsCommand.Action {

    @Parameters(paramLabel = "NAME", description = "Its name.")
    private String name = "";

    @Option(names = "--subscription", paramLabel = "NAME", description = "The durable subscription, of a topic.")
    private @Nullable String subscription;

    @Option(
            names = "--client-id",
            paramLabel = "ID",
            description = "The client id that the subscription belongs to, if it has one.")
    private @Nullable String clientId;

    @Option(names = "--dry-run", description = "Only say how many messages would be removed.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Override
    void run(MillraceAdmin admin, DestinationKind kind, JsonOption json) {
        requireSubscriptionOfTopic(kind);
        String what =
                kind == DestinationKind.QUEUE ? "queue " + name : "subscription " + subscription + " of topic " + name;
        if (!dryRun && !yes) {
            confirm(json.err(), what, purge(admin, true).removed());
        }
        DestinationPurged purged = purge(admin, dryRun);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("kind", kind.word());
        fields.put("dryRun", dryRun);
        fields.put("removed", purged.removed());
        fields.put("inFlight", purged.inFlight());
        fields.put("consumers", purged.consumers());
        json.print(fields, text -> {
            text.printf(
                    "%s %s of %s%n", dryRun ? "would remove" : "removed", Plural.of(purged.removed(), "message"), what);
            if (purged.inFlight() > 0) {
                text.printf(
                        "%s in flight with consumers stay%s (%d attached)%n",
                        Plural.of(purged.inFlight(), "message"), purged.inFlight() == 1 ? "s" : "", purged.consumers());
            }
        });
    }

    private void requireSubscriptionOfTopic(DestinationKind kind) {
        if (kind == DestinationKind.QUEUE && (subscription != null || clientId != null)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "a queue has no subscriptions: leave --subscription and --client-id out");
        }
        if (kind == DestinationKind.TOPIC && subscription == null) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "a topic keeps messages for each of its subscriptions: name one with --subscription"
                            + " (`millrace topics describe " + name + "` lists them)");
        }
    }

    private DestinationPurged purge(MillraceAdmin admin, boolean countOnly) {
        return subscription == null
                ? admin.purgeQueue(name, countOnly)
                : admin.purgeSubscription(name, subscription, Optional.ofNullable(clientId), countOnly);
    }

    private static void confirm(PrintWriter err, String what, long count) {
        Confirmation.ask(
                err,
                "Remove " + Plural.of(count, "message") + " of " + what + "?",
                "nothing was removed",
                "--yes to remove without a question");
    }
}
