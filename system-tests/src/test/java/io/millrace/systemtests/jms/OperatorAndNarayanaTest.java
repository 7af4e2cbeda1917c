package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.frame.TransactionDecision;
import io.millrace.wire.frame.TransactionStatus;
import io.millrace.wire.frame.TransactionSummary;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that is gone, an operator who decides, and the program that comes back: its Narayana is told, and has the branch forgotten. */
class OperatorAndNarayanaTest {

    private static final String NODE = "orders1";

    @TempDir
    private Path directory;

    /** As Narayana makes them up for its node. */
    private record Branch() implements Xid {
        @Override
        public int getFormatId() {
            return 131_077;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            byte[] name = NODE.getBytes(StandardCharsets.US_ASCII);
            byte[] id = Arrays.copyOf(new byte[] {1}, 28 + name.length);
            System.arraycopy(name, 0, id, 28, name.length);
            return id;
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[36];
        }
    }

    private static void prepare(MillraceConnectionFactory factory) throws JMSException, XAException {
        try (XAConnection connection = factory.createXAConnection();
                XASession session = connection.createXASession()) {
            XAResource resource = session.getXAResource();
            resource.start(new Branch(), XAResource.TMNOFLAGS);
            session.createProducer(session.createQueue("orders")).send(session.createTextMessage("one"));
            resource.end(new Branch(), XAResource.TMSUCCESS);
            resource.prepare(new Branch());
        }
    }

    private void recover(String url, String node) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecoveringProgram.class.getName(),
                        url,
                        node,
                        directory.resolve(node).toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private static List<TransactionSummary> list(MillraceAdmin admin) {
        return admin.listTransactions(List.of(), List.of(), Duration.ZERO).transactions();
    }

    @Test
    @Tag("long")
    void shouldBeForgottenByTheNodeThatMadeItUp() throws IOException, InterruptedException, JMSException, XAException {
        try (EmbeddedBroker broker =
                EmbeddedBroker.builder().directory(directory.resolve("data")).start()) {
            MillraceConnectionFactory factory = new MillraceConnectionFactory(broker.url());
            prepare(factory);
            try (MillraceAdmin admin = factory.createAdmin()) {
                admin.decideTransaction(list(admin).getFirst().id(), TransactionDecision.COMMIT);

                recover(broker.url(), "another");
                assertThat(list(admin))
                        .singleElement()
                        .extracting(TransactionSummary::status)
                        .isEqualTo(TransactionStatus.HEURISTIC_COMMIT);

                recover(broker.url(), NODE);
                assertThat(list(admin)).isEmpty();
            }
        }
    }
}
