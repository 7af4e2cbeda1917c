package io.millrace.jms.internal.transport;

import java.nio.file.Path;
import java.util.Optional;

/**
 * PEM files of a client.
 *
 * @param trust certificates that the server's must be one of, or signed by; empty: those that the JVM trusts
 * @param certificate that the client shows, followed by those that signed it; empty: none
 * @param key of the certificate; there if and only if that is
 * @param keyPassword what the key is encrypted with; empty: it is not
 */
public record TlsFiles(
        Optional<Path> trust, Optional<Path> certificate, Optional<Path> key, Optional<String> keyPassword) {

    @Override
    public String toString() {
        return "trust " + trust + ", certificate " + certificate + ", key " + key;
    }
}
