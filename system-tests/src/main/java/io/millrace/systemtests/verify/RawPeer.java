package io.millrace.systemtests.verify;

import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.Prologue;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** A client that speaks the native protocol as badly as it likes. Used by one thread, or by one that sends and one that reads. */
final class RawPeer implements AutoCloseable {
    private static final int TIMEOUT_MS = 10_000;

    private static final AtomicLong NEXT_ID = new AtomicLong(1);

    private final Socket socket = new Socket();

    private RawPeer(int port) throws IOException {
        try {
            // So small that a peer that does not read leaves little in its own system.
            socket.setReceiveBufferSize(16 * 1024);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
    }

    /** Connects and says nothing. */
    static RawPeer connect(int port) throws IOException {
        return new RawPeer(port);
    }

    /** Connects and logs in. */
    static RawPeer loggedIn(int port) throws IOException {
        RawPeer peer = new RawPeer(port);
        try {
            peer.write(handshake());
            peer.skip(Prologue.BYTES);
            peer.readFrame();
            peer.readFrame();
            return peer;
        } catch (IOException refused) {
            peer.close();
            throw refused;
        }
    }

    /** An identity that no other peer of this process has. */
    static UUID newId() {
        return new UUID(ProcessHandle.current().pid(), NEXT_ID.getAndIncrement());
    }

    /** All that a client says until it is logged in. */
    static byte[] handshake() {
        Hello hello = new Hello(newId(), "hostile", "1");
        Login login = new Login("NONE", ByteBuffer.allocate(0));
        ByteBuffer bytes = ByteBuffer.allocate(Prologue.BYTES + FrameCodec.sizeOf(hello) + FrameCodec.sizeOf(login));
        Prologue.Client.current().encode(bytes);
        FrameCodec.encode(hello, bytes);
        FrameCodec.encode(login, bytes);
        return bytes.array();
    }

    void send(Frame frame) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(FrameCodec.sizeOf(frame));
        FrameCodec.encode(frame, bytes);
        write(bytes.array());
    }

    void write(byte... bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private void skip(int count) throws IOException {
        if (socket.getInputStream().readNBytes(count).length < count) {
            throw new EOFException("the broker closed the connection");
        }
    }

    /** Reads the next frame of the broker. */
    Frame readFrame() throws IOException {
        byte[] content = new byte[FrameCodec.checkLength(new DataInputStream(socket.getInputStream()).readInt())];
        new DataInputStream(socket.getInputStream()).readFully(content);
        return FrameCodec.decode(ByteBuffer.wrap(content), Peer.SERVER);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
