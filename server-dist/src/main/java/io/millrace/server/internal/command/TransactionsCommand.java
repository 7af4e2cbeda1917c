package io.millrace.server.internal.command;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.frame.TransactionDescribed;
import io.millrace.wire.frame.TransactionDoor;
import io.millrace.wire.frame.TransactionStatus;
import io.millrace.wire.frame.TransactionSummary;
import io.millrace.wire.frame.TransactionsListed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code millrace txn}. */
@Command(
        name = "txn",
        mixinStandardHelpOptions = true,
        header = "Lists and shows transactions, and decides those that nobody decides.",
        description = {
            "Transactions of Kafka producers (kafka), of transacted JMS sessions (jms), and branches of distributed transactions (xa).",
            "",
            "A branch that is prepared waits for its transaction manager, however long that takes. If that is gone for good, an operator"
                    + " decides: commit or rollback. Look first what became of the other branches, in the database for example: deciding"
                    + " otherwise leaves one side committed and the other not. Who comes later is told what was decided, until forget.",
            "",
            "  millrace txn list --state prepared --older-than 10m",
            "  millrace txn show xa:131077:0a1b:02",
            "  millrace txn rollback xa:131077:0a1b:02",
            ""
        },
        subcommands = {
            TransactionsCommand.ListAll.class,
            TransactionsCommand.Show.class,
            DecisionAction.Commit.class,
            DecisionAction.Rollback.class,
            DecisionAction.Forget.class
        })
final class TransactionsCommand extends CommandGroup {

    TransactionsCommand() {
        super("What to do? `%s list|show|commit|rollback|forget`, for example `%s list`.");
    }

    /** The frame of the subcommands: connects, works, prints. */
    abstract static class Action implements Callable<Integer> {
        @Mixin
        private ServerOption server = new ServerOption();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() {
            check();
            try (MillraceAdmin admin = server.connectAdmin()) {
                run(admin, json);
            }
            return ExitCode.OK;
        }

        /** Refuses what makes no sense before anybody is connected to. */
        void check() {}

        abstract void run(MillraceAdmin admin, JsonOption json);
    }

    /** Reads the words in which states are shown. */
    static final class StateWords implements ITypeConverter<TransactionStatus> {
        @Override
        public TransactionStatus convert(String word) {
            return one(word, TransactionStatus.values(), TransactionStatus::word);
        }
    }

    /** Reads the words in which kinds are shown. */
    static final class KindWords implements ITypeConverter<TransactionDoor> {
        @Override
        public TransactionDoor convert(String word) {
            return one(word, TransactionDoor.values(), TransactionDoor::word);
        }
    }

    private static <T> T one(String word, T[] values, Function<T, String> words) {
        return Arrays.stream(values)
                .filter(value -> words.apply(value).equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + word + "' is none of "
                        + String.join(", ", Arrays.stream(values).map(words).toList())));
    }

    /** {@code list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            header = "Lists what is open, prepared, or was decided by an operator; the oldest first.",
            description = {
                "States: empty, ongoing, prepared, prepare-commit, prepare-abort, complete-commit, complete-abort,"
                        + " heuristic-commit, heuristic-rollback. The last two are what an operator decided about branches, and nobody has had"
                        + " forgotten. What is empty or complete is only listed where --state says so.",
                "",
                "  millrace txn list",
                "  millrace txn list --kind xa --state prepared --older-than 10m",
                ""
            })
    static final class ListAll extends Action {
        @Option(
                names = "--state",
                paramLabel = "STATE",
                split = ",",
                converter = StateWords.class,
                description = "Only those in this state; several may be given.")
        private List<TransactionStatus> states = new ArrayList<>();

        @Option(
                names = "--kind",
                paramLabel = "KIND",
                split = ",",
                converter = KindWords.class,
                description = "Only kafka, jms or xa; several may be given.")
        private List<TransactionDoor> kinds = new ArrayList<>();

        @Option(
                names = "--older-than",
                paramLabel = "TIME",
                converter = Waiting.class,
                description = "Only those that began so long ago: 30s, 10m, 2h.")
        private Duration olderThan = Duration.ZERO;

        @Override
        void run(MillraceAdmin admin, JsonOption json) {
            TransactionsListed found = admin.listTransactions(kinds, states, olderThan);
            json.print(
                    found.transactions().stream()
                            .map(TransactionPrinting::document)
                            .toList(),
                    text -> {
                        text.printf(
                                "%-18s %-5s %8s %10s %-20s %-12s %s%n",
                                "STATE", "KIND", "AGE", "PARTITIONS", "USER", "NODE", "ID");
                        for (TransactionSummary one : found.transactions()) {
                            TransactionId id = TransactionId.of(one.id());
                            text.printf(
                                    "%-18s %-5s %8s %10d %-20s %-12s %s%n",
                                    one.status().word(),
                                    one.door().word(),
                                    TransactionPrinting.age(one).orElse("-"),
                                    one.participants(),
                                    TransactionPrinting.user(one),
                                    id.node().orElse("-"),
                                    id.shown());
                        }
                    });
            if (found.matching() > found.transactions().size()) {
                json.err()
                        .printf(
                                "millrace: these are the oldest %d of %d; --state, --kind and --older-than narrow that down%n",
                                found.transactions().size(), found.matching());
            }
        }
    }

    /** {@code show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            header = "Shows one with all that takes part in it, and what is undecided.",
            description = {"  millrace txn show xa:131077:0a1b:02", ""})
    static final class Show extends Action {
        @Parameters(paramLabel = "ID", description = "As `millrace txn list` prints it.")
        private String id = "";

        @Override
        void check() {
            TransactionId.typed(id);
        }

        @Override
        void run(MillraceAdmin admin, JsonOption json) {
            TransactionDescribed found =
                    admin.describeTransaction(TransactionId.typed(id).text());
            json.print(TransactionPrinting.document(found), text -> TransactionPrinting.print(text, found));
        }
    }
}
