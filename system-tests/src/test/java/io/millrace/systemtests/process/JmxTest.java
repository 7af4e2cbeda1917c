package io.millrace.systemtests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a broker that runs by itself, read as a monitoring agent on the same machine would. */
final class JmxTest {

    @TempDir
    Path directory;

    /** A client attached to a process, which opened no port for it before. */
    private record Jmx(JMXConnector connector, MBeanServerConnection server) implements AutoCloseable {

        // The address is that of a process which the test itself has started.
        @SuppressWarnings("BanJNDI")
        static Jmx attach(long pid) throws IOException {
            try {
                VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
                try {
                    JMXConnector connector =
                            JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
                    return new Jmx(connector, connector.getMBeanServerConnection());
                } finally {
                    machine.detach();
                }
            } catch (AttachNotSupportedException e) {
                throw new IOException("cannot attach to process " + pid, e);
            }
        }

        double value(String name, String attribute, String more) {
            try {
                ObjectName meter = new ObjectName("io.millrace:name=" + name + ",broker=1" + more);
                return server.isRegistered(meter)
                        ? ((Number) server.getAttribute(meter, attribute)).doubleValue()
                        : Double.NaN;
            } catch (JMException | IOException e) {
                throw new AssertionError(name, e);
            }
        }

        double counter(String name) {
            return value(name, "Count", "");
        }

        double ofLines(String name, String attribute) {
            return value("millrace_destination_" + name, attribute, ",destination=lines,kind=queue");
        }

        @Override
        public void close() throws IOException {
            connector.close();
        }
    }

    private BrokerProcess start(int port) throws IOException {
        return BrokerProcess.start(
                Distribution.home(), directory.resolve("data"), port, directory.resolve("broker.log"), List.of());
    }

    @Test
    void shouldTellWhatWasSentAndConsumedAndKeepTheDepthOverKill()
            throws IOException, InterruptedException, MalformedObjectNameException {
        int port = Distribution.freePort();
        String server = "127.0.0.1:" + port;
        try (BrokerProcess broker = start(port)) {
            Outcome produced = Distribution.run("a line\n".repeat(1_000), "produce", "queue:lines", "--server", server);
            assertThat(produced.exitCode()).as(produced.err()).isZero();
            Outcome consumed = Distribution.run(
                    "", "consume", "queue:lines", "--count", "300", "--timeout", "20s", "--server", server);
            assertThat(consumed.exitCode()).as(consumed.err()).isZero();
            try (Jmx jmx = Jmx.attach(broker.pid())) {
                await().atMost(20, TimeUnit.SECONDS).until(() -> jmx.ofLines("messages_ready", "Value") == 700);
                assertThat(jmx.ofLines("messages_in_total", "Count")).isEqualTo(1_000);
                assertThat(jmx.ofLines("messages_acknowledged_total", "Count")).isEqualTo(300);
                assertThat(jmx.ofLines("messages_in_flight", "Value")).isZero();
                assertThat(jmx.counter("millrace_messages_in_total")).isEqualTo(1_000);
                assertThat(jmx.counter("millrace_messages_out_total")).isGreaterThanOrEqualTo(300);
                assertThat(jmx.counter("millrace_sync_duration_seconds_count")).isPositive();
                assertThat(jmx.value("millrace_sync_duration_seconds", "Value", ",quantile=0.99"))
                        .isPositive();
                assertThat(jmx.value("millrace_send_latency_seconds", "Value", ",quantile=0.5"))
                        .isPositive();
                assertThat(jmx.value("process_files_open_files", "Value", "")).isPositive();
                assertThat(jmx.server()
                                .queryNames(new ObjectName("io.millrace:name=jvm_memory_used_bytes,area=heap,*"), null))
                        .isNotEmpty();
            }
            broker.kill();
        }
        try (BrokerProcess again = start(port)) {
            try (Jmx jmx = Jmx.attach(again.pid())) {
                await().atMost(20, TimeUnit.SECONDS).until(() -> jmx.ofLines("messages_ready", "Value") == 700);
                await().atMost(20, TimeUnit.SECONDS)
                        .until(() -> jmx.ofLines("oldest_message_age_seconds", "Value") > 0);
                assertThat(jmx.ofLines("messages_in_total", "Count")).isZero();
            }
            assertThat(again.terminate()).isZero();
        }
    }
}
