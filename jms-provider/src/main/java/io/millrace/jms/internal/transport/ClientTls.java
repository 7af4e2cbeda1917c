package io.millrace.jms.internal.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/** How sockets are encrypted, with the JVM's own TLS. What it was made of was read from files once. For any thread. */
public final class ClientTls {

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final SslContext context;
    private final boolean hasCertificate;

    private ClientTls(SslContext context, boolean hasCertificate) {
        this.context = context;
        this.hasCertificate = hasCertificate;
    }

    /**
     * Reads the files.
     *
     * @param verifyHost whether the server's certificate must be for the host that is connected to
     * @throws ConnectException if a file cannot be used; the message says which, and why
     */
    public static ClientTls of(TlsFiles files, boolean verifyHost) {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols(PROTOCOLS)
                .endpointIdentificationAlgorithm(verifyHost ? "HTTPS" : "");
        files.trust().ifPresent(trust -> trust(builder, readable("tlsTrust", trust)));
        files.certificate()
                .ifPresent(certificate -> show(
                        builder,
                        readable("tlsCertificate", certificate),
                        readable("tlsKey", files.key().orElse(certificate)),
                        files));
        try {
            return new ClientTls(builder.build(), files.certificate().isPresent());
        } catch (SSLException unusable) {
            throw new ConnectException("TLS cannot be set up: " + TlsFailures.innermost(unusable), unusable);
        }
    }

    private static File readable(String option, Path path) {
        if (!Files.isReadable(path)) {
            throw new ConnectException("The file of " + option + ", " + path + ", "
                    + (Files.exists(path) ? "may not be read by this process" : "does not exist"));
        }
        return path.toFile();
    }

    private static void trust(SslContextBuilder builder, File file) {
        try {
            builder.trustManager(file);
        } catch (IllegalArgumentException unusable) {
            throw new ConnectException(
                    "The file of tlsTrust, " + file + ", is no PEM file of certificates (-----BEGIN CERTIFICATE-----): "
                            + TlsFailures.innermost(unusable),
                    unusable);
        }
    }

    private static void show(SslContextBuilder builder, File certificate, File key, TlsFiles files) {
        try {
            builder.keyManager(certificate, key, files.keyPassword().orElse(null));
        } catch (IllegalArgumentException unusable) {
            throw new ConnectException(
                    "The files of tlsCertificate and tlsKey, " + certificate + " and " + key
                            + ", are not PEM files of a certificate and its PKCS#8 key (-----BEGIN PRIVATE KEY-----, or"
                            + " ENCRYPTED PRIVATE KEY with tlsKeyPassword; `openssl pkcs8 -topk8` makes one of others): "
                            + TlsFailures.innermost(unusable),
                    unusable);
        }
    }

    SslHandler handler(ByteBufAllocator allocator, ServerAddress address, long timeoutMs) {
        SslHandler handler = context.newHandler(allocator, address.host(), address.port());
        handler.setHandshakeTimeoutMillis(timeoutMs);
        return handler;
    }

    boolean hasCertificate() {
        return hasCertificate;
    }
}
