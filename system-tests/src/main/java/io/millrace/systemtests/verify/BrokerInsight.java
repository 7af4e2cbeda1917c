package io.millrace.systemtests.verify;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What a running broker tells of itself by JMX. Used by one thread. */
final class BrokerInsight implements AutoCloseable {
    /** Others allocate between the end of a collection and the look at it. */
    private static final int COLLECTIONS = 3;

    private final JMXConnector connector;
    private final MBeanServerConnection server;
    private final MemoryMXBean memory;

    private BrokerInsight(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
        this.memory = ManagementFactory.newPlatformMXBeanProxy(
                server, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
    }

    // The address is that of a process which the trial itself has started.
    @SuppressWarnings("BanJNDI")
    static BrokerInsight of(BrokerUnderTest broker) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(broker.pid()));
            try {
                return new BrokerInsight(
                        JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot attach to process " + broker.pid(), e);
        }
    }

    /** Bytes of the heap that are in use after a full collection. */
    long liveHeapBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    /** The count of a metric of the whole broker. */
    long counter(String name) throws IOException {
        try {
            return ((Number) server.getAttribute(new ObjectName("io.millrace:name=" + name + ",broker=1"), "Count"))
                    .longValue();
        } catch (JMException e) {
            throw new IOException("the broker does not tell " + name, e);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
