package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.TestCertificates;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and certificates that are replaced while the broker runs. */
class TlsReloadTest {

    @TempDir
    private Path directory;

    @Test
    void shouldUseChangedFilesAndKeepTheOldOnesWhereTheNewAreBad() throws Exception {
        TestCertificates old = TestCertificates.create(directory, "old", "CN=old");
        TestCertificates next = TestCertificates.create(directory, "next", "CN=next");
        Path used = directory.resolve("used.pem");
        Files.copy(old.keyPem(), used);
        FakeTimeSource time = new FakeTimeSource();
        try (TestBroker broker = TestBroker.start(
                time,
                "listeners",
                "SSL://127.0.0.1:0",
                "ssl.keystore.type",
                "PEM",
                "ssl.keystore.location",
                used.toString())) {
            assertThat(shownBy(broker.port())).isEqualTo("CN=old");
            SSLSocket live = connected(broker.port());
            ask(live);

            Files.writeString(used, "this is no key");

            time.advanceMs(6_000);
            assertThat(shownBy(broker.port())).isEqualTo("CN=old");

            Files.copy(next.keyPem(), used, StandardCopyOption.REPLACE_EXISTING);
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                time.advanceMs(6_000);
                return shownBy(broker.port()).equals("CN=next");
            });
            // Who is connected stays so, under what was shown then.
            ask(live);
            assertThat(live.getSession().getPeerPrincipal().getName()).isEqualTo("CN=old");
            live.close();
        }
    }

    private static SSLSocket connected(int port) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsEverybody()}, new SecureRandom());
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.startHandshake();
        return socket;
    }

    /** Asks which versions of Kafka's requests there are, and reads the answer. */
    private static void ask(SSLSocket socket) throws IOException {
        socket.getOutputStream()
                .write(ByteBuffer.allocate(14)
                        .putInt(10)
                        .putShort((short) 18)
                        .putShort((short) 0)
                        .putInt(7)
                        .putShort((short) -1)
                        .array());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        assertThat(ByteBuffer.wrap(answer).getInt()).isEqualTo(7);
    }

    private static String shownBy(int port) throws IOException, GeneralSecurityException {
        try (SSLSocket socket = connected(port)) {
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    private static final class TrustsEverybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
