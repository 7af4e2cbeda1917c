package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/** What must be so once transactions over a broker and a database have been recovered. */
record XaAftermath(int brokerPort, PostgresServer database, TransferPrograms programs, Consumer<String> progress) {

    /** Recovers what each program left in doubt, in one pass each; returns what is not as it should be. */
    List<String> recover() throws IOException, InterruptedException {
        List<String> complaints = new ArrayList<>();
        for (int i = 0; i < programs.count(); i++) {
            long before = TransactionParts.entries(programs.transactionLog(i));
            Path log = programs.recover(i);
            List<String> lines = Files.readAllLines(log);
            String done = RecoveryProgram.AFTER_PASS.formatted(1, 0);
            int end = lines.indexOf(done);
            if (end < 0) {
                complaints.add("program " + i + " was not recovered in one pass: see " + log);
                continue;
            }
            List<String> later = warnings(lines.subList(end, lines.size()));
            later.forEach(line -> complaints.add("a warning stays after recovery: " + line));
            progress.accept("recovered program %d in one pass: %d decisions in its log before, none after, %d warnings"
                    .formatted(i, before, warnings(lines.subList(0, end)).size()));
        }
        complaints.addAll(inDoubt());
        return complaints;
    }

    /** Returns the lines of a log of Narayana that warn. */
    static List<String> warnings(List<String> lines) {
        return lines.stream()
                .filter(line -> line.matches("(\\S+ )?(WARN|WARNING|ERROR|SEVERE) .*"))
                .toList();
    }

    /** Returns what is in doubt anywhere, as complaints. */
    List<String> inDoubt() throws IOException {
        List<String> complaints = new ArrayList<>();
        for (int i = 0; i < programs.count(); i++) {
            long entries = TransactionParts.entries(programs.transactionLog(i));
            if (entries > 0) {
                complaints.add("%d entries are left in the log of program %d".formatted(entries, i));
            }
        }
        try (XAConnection connection =
                new MillraceConnectionFactory("millrace://127.0.0.1:" + brokerPort).createXAConnection()) {
            int branches = connection.createXASession().getXAResource().recover(XAResource.TMSTARTRSCAN).length;
            if (branches > 0) {
                complaints.add("%d branches are left in doubt in the broker".formatted(branches));
            }
            List<String> prepared = database.inDoubt();
            if (!prepared.isEmpty()) {
                complaints.add("left in doubt in the database: " + prepared);
            }
        } catch (JMSException | XAException | SQLException e) {
            throw new ScenarioFailedException("it cannot be told what is in doubt", e);
        }
        return complaints;
    }

    /** Returns how the table differs from having each number once, as complaints. */
    List<String> rows(int sent) {
        try {
            Map<Integer, Integer> rows = new HashMap<>();
            database.moved().forEach(number -> rows.merge(number, 1, Integer::sum));
            TransferTrial.Difference difference = TransferTrial.Difference.of(rows, sent);
            return difference.isNone() ? List.of() : List.of("the table: " + difference);
        } catch (SQLException e) {
            throw new ScenarioFailedException("the table cannot be read", e);
        }
    }
}
