package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.systemtests.process.Distribution;
import io.millrace.testkit.process.BrokerProcess;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace txn} and a broker that is killed between any two steps. */
final class TransactionsCommandTest {

    private static final String ID = "xa:9:01:02";

    @TempDir
    static Path directory;

    private record Branch() implements Xid {
        @Override
        public int getFormatId() {
            return 9;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {2};
        }
    }

    private static BrokerProcess start() throws IOException {
        return BrokerProcess.start(
                Distribution.home(), directory.resolve("data"), 0, directory.resolve("broker.log"), List.of());
    }

    private static Distribution.Outcome txn(BrokerProcess broker, String input, String... arguments)
            throws IOException, InterruptedException {
        String[] all = new String[arguments.length + 3];
        all[0] = "txn";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[all.length - 2] = "--server";
        all[all.length - 1] = broker.address();
        return Distribution.run(input, all);
    }

    private static MillraceConnectionFactory factory(BrokerProcess broker) {
        return new MillraceConnectionFactory("millrace://" + broker.address());
    }

    private static void prepare(BrokerProcess broker) throws JMSException, XAException {
        try (XAConnection connection = factory(broker).createXAConnection();
                XASession session = connection.createXASession()) {
            XAResource resource = session.getXAResource();
            resource.start(new Branch(), XAResource.TMNOFLAGS);
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("one"));
            resource.end(new Branch(), XAResource.TMSUCCESS);
            resource.prepare(new Branch());
        }
    }

    @Test
    @Tag("long")
    void shouldKeepWhatAnOperatorDecidedOverKills()
            throws IOException, InterruptedException, JMSException, XAException {
        try (BrokerProcess broker = start()) {
            prepare(broker);
            broker.kill();
        }
        try (BrokerProcess broker = start()) {
            assertThat(txn(broker, "", "list").out()).containsPattern("prepared +xa .*" + ID);
            assertThat(txn(broker, "no\n", "commit", ID).exitCode()).isEqualTo(1);
            assertThat(txn(broker, "yes\n", "commit", ID).out()).isEqualTo("committed " + ID + "\n");
            broker.kill();
        }
        try (BrokerProcess broker = start()) {
            assertThat(txn(broker, "", "list").out()).containsPattern("heuristic-commit +xa .*" + ID);
            try (XAConnection connection = factory(broker).createXAConnection();
                    XASession session = connection.createXASession()) {
                XAResource resource = session.getXAResource();
                assertThat(resource.recover(XAResource.TMSTARTRSCAN)).hasSize(1);
                assertThatThrownBy(() -> resource.rollback(new Branch()))
                        .isInstanceOfSatisfying(
                                XAException.class,
                                why -> assertThat(why.errorCode).isEqualTo(XAException.XA_HEURCOM));
            }
            assertThat(Distribution.run("", "consume", "queue:orders", "--count", "1", "--server", broker.address())
                            .out())
                    .isEqualTo("one\n");
            assertThat(txn(broker, "", "forget", ID, "--yes").out()).isEqualTo("forgot " + ID + "\n");
            broker.kill();
        }
        try (BrokerProcess broker = start()) {
            assertThat(txn(broker, "", "list", "--json").out()).isEqualToIgnoringWhitespace("[]");
            assertThat(txn(broker, "", "commit", ID, "--yes").err()).contains("there is no transaction " + ID);
        }
    }
}
