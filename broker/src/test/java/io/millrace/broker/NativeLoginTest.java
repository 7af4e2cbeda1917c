package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.LoginChallenge;
import io.millrace.wire.frame.LoginOk;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.Prologue;
import io.millrace.wire.login.ClientLogin;
import io.millrace.wire.login.ScramHash;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Logins of the native protocol, on a listener that Kafka clients use as well. */
class NativeLoginTest {

    private static EmbeddedBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0")
                .config("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512")
                .config("authorizer.enabled", "true")
                .config("super.users", "User:ann;User:paula")
                .config(
                        "plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_paula=\"p\";")
                .start();
        new Administrator(broker).user("ann", "secret").user("bob", "secret");
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static ClientLogin scram(String user, String password) {
        return ClientLogin.scram(ScramHash.SHA_512, user, password, new SecureRandom());
    }

    @Test
    void shouldLetUsersIn() throws IOException {
        assertThat(login(scram("ann", "secret")))
                .isInstanceOfSatisfying(
                        LoginOk.class, ok -> assertThat(ok.principal()).isEqualTo("ann"));
        assertThat(login(ClientLogin.plain("paula", "p"))).isInstanceOf(LoginOk.class);
        assertThat(login(scram("paula", "p"))).isInstanceOf(LoginOk.class);
        assertThat(login(ClientLogin.plain("ann", "secret"))).isInstanceOf(LoginOk.class);
    }

    @Test
    void shouldRefuseWrongPasswordsAndUnknownUsersAlike() throws IOException {
        long beganNs = System.nanoTime();
        Frame wrong = login(scram("ann", "guessed"));
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs)).isGreaterThanOrEqualTo(100);
        assertThat(wrong)
                .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED));
        assertThat(login(scram("nobody", "guessed"))).isEqualTo(wrong);
        assertThat(login(scram("paula", "guessed"))).isEqualTo(wrong);
        assertThat(login(ClientLogin.plain("nobody", "guessed"))).isEqualTo(wrong);
    }

    @Test
    void shouldRefuseClientsWithoutALogin() throws IOException {
        assertThat(login(ClientLogin.none())).isInstanceOf(Failure.class);
    }

    @Test
    void shouldLetUsersInWhoHaveNoRights() throws IOException {
        assertThat(login(scram("bob", "secret"))).isInstanceOf(LoginOk.class);
    }

    private static Frame login(ClientLogin login) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
            socket.setSoTimeout(20_000);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            ByteBuffer prologue = ByteBuffer.allocate(Prologue.BYTES);
            Prologue.Client.current().encode(prologue);
            socket.getOutputStream().write(prologue.array());
            send(socket, new Hello(UUID.randomUUID(), "test", "1"));
            in.readNBytes(Prologue.BYTES);
            Frame answer = read(in);
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            HelloOk.class, ok -> assertThat(ok.mechanisms()).containsExactly("PLAIN", "SCRAM-SHA-512"));
            send(socket, new Login(login.mechanism().wireName(), login.first()));
            answer = read(in);
            if (answer instanceof LoginChallenge challenge) {
                send(socket, new Login(login.mechanism().wireName(), login.onChallenge(challenge.data())));
                answer = read(in);
            }
            return answer;
        }
    }

    private static void send(Socket socket, Frame frame) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(FrameCodec.sizeOf(frame));
        FrameCodec.encode(frame, bytes);
        socket.getOutputStream().write(bytes.array(), 0, bytes.position());
    }

    private static Frame read(DataInputStream in) throws IOException {
        return FrameCodec.decode(ByteBuffer.wrap(in.readNBytes(in.readInt())), Peer.SERVER);
    }
}
