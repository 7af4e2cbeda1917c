package io.millrace.benchmarks.artemis;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/**
 * Starts Artemis and stops it when standard input ends, so that it never outlives the benchmark.
 *
 * <p>Settings are its defaults, but for these:
 *
 * <ul>
 *   <li>NIO journal with datasync, on the disk of the other broker: acknowledged means on the disk, as there.
 *   <li>The journal's buffer timeout is the measured time of an fdatasync. Its default for NIO is 3.3 ms, which every single
 *       synchronous send would wait for; what {@code artemis create} writes into a new broker's configuration is measured likewise.
 *   <li>Ten journal files made ahead and kept, as {@code artemis create} configures, so that no run pays for making them.
 *   <li>No security, as on the other side.
 * </ul>
 */
public final class ArtemisServer {
    private static final int JOURNAL_FILES = 10;

    private ArtemisServer() {}

    /**
     * Runs a server.
     *
     * @param args the data directory, the port, the journal's buffer timeout in nanoseconds, and the memory for messages in bytes (-1
     *     for Artemis' default)
     */
    public static void main(String[] args) throws IOException {
        Path data = Path.of(args[0]);
        String url = "tcp://127.0.0.1:" + Integer.parseInt(args[1]);
        EmbeddedActiveMQ server = new EmbeddedActiveMQ()
                .setConfiguration(configuration(data, url, Integer.parseInt(args[2]), Long.parseLong(args[3])));
        try {
            server.start();
        } catch (Exception e) { // what start() declares
            throw new IOException("Artemis did not start on " + url + " with " + data, e);
        }
        System.out.println("artemis ready " + url);
        while (System.in.read() >= 0) {
            // nothing is said to it; the end of the input is the end of the benchmark
        }
        Runtime.getRuntime().halt(0);
    }

    private static Configuration configuration(Path data, String url, int bufferTimeoutNs, long messageBytes)
            throws IOException {
        Configuration configuration = new ConfigurationImpl()
                .setPersistenceEnabled(true)
                .setSecurityEnabled(false)
                .setJournalType(JournalType.NIO)
                .setJournalDatasync(true)
                .setJournalBufferTimeout_NIO(bufferTimeoutNs)
                .setJournalMinFiles(JOURNAL_FILES)
                .setJournalPoolFiles(JOURNAL_FILES)
                .setJournalDirectory(data.resolve("journal").toString())
                .setBindingsDirectory(data.resolve("bindings").toString())
                .setPagingDirectory(data.resolve("paging").toString())
                .setLargeMessagesDirectory(data.resolve("large").toString());
        if (messageBytes >= 0) {
            configuration.setGlobalMaxSize(messageBytes);
        }
        try {
            return configuration.addAcceptorConfiguration("tcp", url);
        } catch (Exception e) { // what it declares
            throw new IOException("Artemis does not take the address " + url, e);
        }
    }
}
