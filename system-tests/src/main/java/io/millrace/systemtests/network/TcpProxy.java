package io.millrace.systemtests.network;

import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.Prologue;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Stands between client and broker, and cuts their connections when it is told to: what is on the wire is lost, both ways. */
public final class TcpProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 16_384;
    private static final int BACKLOG = 50;

    private final ServerSocket listener;
    private final int targetPort;
    private final Optional<Supplier<FrameWatch>> watches;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private volatile boolean mute;
    private volatile boolean deaf;

    private record Connection(Socket client, Socket server) {
        private void cut() {
            TcpProxy.close(client);
            TcpProxy.close(server);
        }
    }

    /** For any protocol. */
    public TcpProxy(int targetPort) {
        this(targetPort, Optional.empty());
    }

    /**
     * For clients of the native protocol without TLS.
     *
     * @param watches gives each connection what sees its frames
     */
    public TcpProxy(int targetPort, Supplier<FrameWatch> watches) {
        this(targetPort, Optional.of(watches));
    }

    private TcpProxy(int targetPort, Optional<Supplier<FrameWatch>> watches) {
        this.targetPort = targetPort;
        this.watches = watches;
        try {
            this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        start(this::accept);
    }

    /** Returns where it listens. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Returns what a client of the native protocol connects to. */
    public String url() {
        return "millrace://127.0.0.1:" + port();
    }

    /** Swallows all that the broker says until the connections are cut. */
    public void mute() {
        mute = true;
    }

    /** Swallows all that clients say until the connections are cut. */
    public void deafen() {
        deaf = true;
    }

    /** Cuts all connections; new ones can be made at once. */
    public void cut() {
        mute = false;
        deaf = false;
        connections.forEach(Connection::cut);
        connections.clear();
    }

    /**
     * Cuts about half of the connections, at least one if there is any.
     *
     * @return how many
     */
    public int cutSome(RandomGenerator random) {
        List<Connection> open = List.copyOf(connections);
        int sure = open.isEmpty() ? 0 : random.nextInt(open.size());
        int count = 0;
        for (int i = 0; i < open.size(); i++) {
            if (i == sure || random.nextBoolean()) {
                open.get(i).cut();
                count++;
            }
        }
        return count;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket();
                try {
                    server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort));
                    client.setTcpNoDelay(true);
                    server.setTcpNoDelay(true);
                } catch (IOException brokerIsDown) {
                    close(client);
                    close(server);
                    continue;
                }
                Connection connection = new Connection(client, server);
                connections.add(connection);
                Optional<FrameWatch> watch = watches.map(Supplier::get);
                start(() -> copy(connection, Peer.CLIENT, watch));
                start(() -> copy(connection, Peer.SERVER, watch));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void copy(Connection connection, Peer sender, Optional<FrameWatch> watch) {
        Socket from = sender == Peer.CLIENT ? connection.client() : connection.server();
        Socket to = sender == Peer.CLIENT ? connection.server() : connection.client();
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            if (watch.isPresent()) {
                copyFrames(new DataInputStream(new BufferedInputStream(in, BUFFER_BYTES)), out, sender, watch.get());
            } else {
                copyBytes(in, out, sender);
            }
        } catch (IOException closed) {
            // by one of both, or cut
        } finally {
            connection.cut();
            connections.remove(connection);
        }
    }

    private void copyBytes(InputStream in, OutputStream out, Peer sender) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        int count = in.read(buffer);
        while (count >= 0) {
            if (sender == Peer.SERVER ? !mute : !deaf) {
                out.write(buffer, 0, count);
            }
            count = in.read(buffer);
        }
    }

    private static void copyFrames(DataInputStream in, OutputStream out, Peer sender, FrameWatch watch)
            throws IOException {
        byte[] prologue = new byte[Prologue.BYTES];
        in.readFully(prologue);
        out.write(prologue);
        boolean passes = true;
        while (true) {
            byte[] frame = new byte[FrameCodec.LENGTH_BYTES + FrameCodec.checkLength(in.readInt())];
            in.readFully(frame, FrameCodec.LENGTH_BYTES, frame.length - FrameCodec.LENGTH_BYTES);
            ByteBuffer.wrap(frame).putInt(frame.length - FrameCodec.LENGTH_BYTES);
            if (!passes) {
                continue;
            }
            FrameWatch.Fate fate = watch.onFrame(
                    ByteBuffer.wrap(frame, FrameCodec.LENGTH_BYTES, frame.length - FrameCodec.LENGTH_BYTES)
                            .slice(),
                    sender);
            if (fate == FrameWatch.Fate.PASS || fate == FrameWatch.Fate.PASS_AND_CUT) {
                out.write(frame);
                watch.onPassed(sender);
            }
            if (fate == FrameWatch.Fate.CUT || fate == FrameWatch.Fate.PASS_AND_CUT) {
                return;
            }
            passes = fate == FrameWatch.Fate.PASS;
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
