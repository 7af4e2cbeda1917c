package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.LoginOk;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.Prologue;
import io.millrace.wire.frame.SessionOpened;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that do not wait for answers whose content they know (protocol.md, section 4). */
class HandshakeTest {

    private final TestBroker broker = TestBroker.start();

    @AfterEach
    void close() {
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 11, 10_000})
    void shouldTakeWhatFollowsThePrologueAtOnce(int pieceBytes) throws IOException {
        byte[] bytes = everythingUpToASession();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(10_000);
            for (int i = 0; i < bytes.length; i += pieceBytes) {
                socket.getOutputStream().write(bytes, i, Math.min(pieceBytes, bytes.length - i));
            }

            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(Prologue.Server.decode(ByteBuffer.wrap(in.readNBytes(Prologue.BYTES)))
                            .accepted())
                    .isTrue();
            assertThat(frame(in)).isInstanceOf(HelloOk.class);
            assertThat(frame(in)).isInstanceOf(LoginOk.class);
            assertThat(frame(in)).isEqualTo(new SessionOpened(7, 1, false));
        }
    }

    private static byte[] everythingUpToASession() {
        ByteBuffer bytes = ByteBuffer.allocate(1_024);
        Prologue.Client.current().encode(bytes);
        List<Frame> frames = List.of(
                new Hello(new UUID(1, 2), "test", "1"),
                new Login("NONE", ByteBuffer.allocate(0)),
                new OpenSession(7, 1, new UUID(3, 4)));
        frames.forEach(frame -> FrameCodec.encode(frame, bytes));
        byte[] all = new byte[bytes.position()];
        bytes.flip().get(all);
        return all;
    }

    private static Frame frame(DataInputStream in) throws IOException {
        return FrameCodec.decode(ByteBuffer.wrap(in.readNBytes(in.readInt())), Peer.SERVER);
    }
}
