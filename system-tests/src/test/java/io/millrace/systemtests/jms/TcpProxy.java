package io.millrace.systemtests.jms;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between client and broker, and cuts their connections when the test says so: what is on the wire is lost, both ways. */
final class TcpProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 16_384;

    private final ServerSocket listener;
    private final int targetPort;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean mute;
    private volatile boolean deaf;

    TcpProxy(int targetPort) {
        this.targetPort = targetPort;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        start(this::accept);
    }

    String url() {
        return "millrace://127.0.0.1:" + listener.getLocalPort();
    }

    /** Swallows all that the broker says until the connections are cut. */
    void mute() {
        mute = true;
    }

    /** Swallows all that clients say until the connections are cut. */
    void deafen() {
        deaf = true;
    }

    /** Cuts all connections; new ones can be made at once. */
    void cut() {
        mute = false;
        deaf = false;
        sockets.forEach(TcpProxy::close);
        sockets.clear();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket();
                try {
                    server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort));
                } catch (IOException brokerIsDown) {
                    close(client);
                    continue;
                }
                sockets.add(client);
                sockets.add(server);
                start(() -> copy(client, server, false));
                start(() -> copy(server, client, true));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void copy(Socket from, Socket to, boolean ofBroker) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            int count = in.read(buffer);
            while (count >= 0) {
                if (ofBroker ? !mute : !deaf) {
                    out.write(buffer, 0, count);
                }
                count = in.read(buffer);
            }
        } catch (IOException closed) {
            close(from);
            close(to);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        cut();
    }
}
