package io.millrace.broker.internal.security;

import io.millrace.broker.config.ListenerConfig;
import io.millrace.broker.config.ListenerKeys;
import io.millrace.log.config.ConfigKey;
import io.millrace.log.config.InvalidConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.apache.kafka.common.security.ssl.SslPrincipalMapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS side of one listener. Its files are looked at by {@link #reloadIfChanged}: new connections use what is in them then; a file that
 * cannot be used changes nothing, and is an error in the log. May be used from any thread.
 */
public final class TlsEngines {

    private static final Logger LOG = LoggerFactory.getLogger(TlsEngines.class);

    private final String listener;
    private final Map<String, Object> config = new HashMap<>();
    private final List<Path> files = new ArrayList<>();
    private final SslPrincipalMapper names;
    private final boolean clientsMustShowCertificate;
    private volatile DefaultSslEngineFactory engines;
    private volatile long loadedChecksum;

    /**
     * Reads keys and certificates.
     *
     * @throws InvalidConfigException if they cannot be used
     */
    public TlsEngines(ListenerConfig listener) {
        this.listener = listener.name();
        text(listener, ListenerKeys.KEYSTORE_TYPE);
        text(listener, ListenerKeys.KEYSTORE_LOCATION);
        secret(listener, ListenerKeys.KEYSTORE_PASSWORD);
        secret(listener, ListenerKeys.KEY_PASSWORD);
        secret(listener, ListenerKeys.KEYSTORE_KEY);
        secret(listener, ListenerKeys.KEYSTORE_CERTIFICATES);
        text(listener, ListenerKeys.TRUSTSTORE_TYPE);
        text(listener, ListenerKeys.TRUSTSTORE_LOCATION);
        secret(listener, ListenerKeys.TRUSTSTORE_PASSWORD);
        secret(listener, ListenerKeys.TRUSTSTORE_CERTIFICATES);
        text(listener, ListenerKeys.CLIENT_AUTH_MODE);
        text(listener, ListenerKeys.PROTOCOL);
        config.put(ListenerKeys.ENABLED_PROTOCOLS.name(), listener.get(ListenerKeys.ENABLED_PROTOCOLS));
        config.put(ListenerKeys.CIPHER_SUITES.name(), listener.get(ListenerKeys.CIPHER_SUITES));
        listener.find(ListenerKeys.KEYSTORE_LOCATION).map(Path::of).ifPresent(files::add);
        listener.find(ListenerKeys.TRUSTSTORE_LOCATION).map(Path::of).ifPresent(files::add);
        this.clientsMustShowCertificate =
                listener.get(ListenerKeys.CLIENT_AUTH_MODE).equals("required");
        try {
            this.names = SslPrincipalMapper.fromRules(listener.get(ListenerKeys.PRINCIPAL_MAPPING));
            this.loadedChecksum = checksum();
            this.engines = load();
        } catch (KafkaException | IllegalArgumentException | IOException e) {
            throw new InvalidConfigException("TLS of listener " + listener.name() + ": " + causes(e), e);
        }
    }

    private void text(ListenerConfig from, ConfigKey<String> key) {
        from.find(key).ifPresent(value -> config.put(key.name(), value));
    }

    private void secret(ListenerConfig from, ConfigKey<String> key) {
        from.find(key).ifPresent(value -> config.put(key.name(), new Password(value)));
    }

    private DefaultSslEngineFactory load() {
        DefaultSslEngineFactory factory = new DefaultSslEngineFactory();
        factory.configure(config);
        // A cipher suite or version that does not exist shows here, and not when the first client comes.
        factory.createServerSslEngine("localhost", 0);
        return factory;
    }

    /** Returns whether no client gets through without a certificate that is trusted. */
    public boolean clientsMustShowCertificate() {
        return clientsMustShowCertificate;
    }

    /** Returns the server's side of a new connection. */
    public SSLEngine newEngine(String peerHost, int peerPort) {
        return engines.createServerSslEngine(peerHost, peerPort);
    }

    /**
     * Returns who the client's certificate says that it is.
     *
     * @param session of a connection whose handshake is done
     * @return the user's name, or empty if it showed no certificate, or one whose name fits no rule
     */
    public Optional<String> userOf(SSLSession session) {
        Principal peer;
        try {
            peer = session.getPeerPrincipal();
        } catch (SSLPeerUnverifiedException none) {
            return Optional.empty();
        }
        try {
            return Optional.of(names.getName(peer.getName()));
        } catch (IOException noRule) {
            LOG.atWarn()
                    .addKeyValue("event", "certificate_name_unmapped")
                    .addKeyValue("listener", listener)
                    .addKeyValue("name", peer.getName())
                    .log("No rule of ssl.principal.mapping.rules fits the name of a client's certificate");
            return Optional.empty();
        }
    }

    /** Reads the files again if they are not what they were. Reads from the disk. */
    public synchronized void reloadIfChanged() {
        long checksum;
        try {
            checksum = checksum();
        } catch (IOException e) {
            // A file that is just being replaced: it is there the next time, or the error is said then.
            checksum = ~loadedChecksum;
        }
        if (checksum == loadedChecksum) {
            return;
        }
        loadedChecksum = checksum;
        try {
            engines = load();
            LOG.atInfo()
                    .addKeyValue("event", "tls_reloaded")
                    .addKeyValue("listener", listener)
                    .addKeyValue("files", files)
                    .log("Keys and certificates have changed, and new connections use them");
        } catch (KafkaException | IllegalArgumentException e) {
            LOG.atError()
                    .addKeyValue("event", "tls_reload_failed")
                    .addKeyValue("listener", listener)
                    .addKeyValue("files", files)
                    .addKeyValue("cause", causes(e))
                    .log(
                            "Changed keys or certificates cannot be used; those from before stay in use until the files are right");
        }
    }

    private long checksum() throws IOException {
        CRC32C checksum = new CRC32C();
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            checksum.update(bytes.length);
            checksum.update(bytes);
        }
        return checksum.getValue();
    }

    private static String causes(Throwable failure) {
        StringBuilder all = new StringBuilder();
        for (Throwable next = failure; next != null; next = next.getCause()) {
            all.append(all.isEmpty() ? "" : ": ")
                    .append(next.getMessage() == null ? next.toString() : next.getMessage());
        }
        return all.toString();
    }
}
