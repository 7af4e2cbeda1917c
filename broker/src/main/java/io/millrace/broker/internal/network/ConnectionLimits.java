package io.millrace.broker.internal.network;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Counts connections, all together and per address, so that one client cannot take them all. May be used from any thread. */
final class ConnectionLimits {

    private final ReentrantLock lock = new ReentrantLock();
    private volatile int maxConnections;
    private volatile int maxConnectionsPerAddress;
    private final Map<InetAddress, Integer> perAddress = new HashMap<>();
    private int connections;

    ConnectionLimits(int maxConnections, int maxConnectionsPerAddress) {
        this.maxConnections = maxConnections;
        this.maxConnectionsPerAddress = maxConnectionsPerAddress;
    }

    /** Changes the limits. Those that are connected stay, also where there are more of them now than may be. */
    void change(int connectionsOfAll, int connectionsOfAddress) {
        maxConnections = connectionsOfAll;
        maxConnectionsPerAddress = connectionsOfAddress;
    }

    /** Counts a new connection; if it is one too many, counts nothing and returns the reason. */
    Optional<String> open(InetAddress address) {
        lock.lock();
        try {
            if (connections >= maxConnections) {
                return Optional.of("the broker has " + connections + " connections, which is max.connections");
            }
            int ofAddress = perAddress.getOrDefault(address, 0);
            if (ofAddress >= maxConnectionsPerAddress) {
                return Optional.of(address.getHostAddress() + " has " + ofAddress
                        + " connections, which is max.connections.per.ip");
            }
            connections++;
            perAddress.put(address, ofAddress + 1);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Takes back an {@link #open} that returned no reason. */
    void close(InetAddress address) {
        lock.lock();
        try {
            connections--;
            perAddress.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
        } finally {
            lock.unlock();
        }
    }

    int connections() {
        lock.lock();
        try {
            return connections;
        } finally {
            lock.unlock();
        }
    }
}
