package io.millrace.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A key with a certificate that it signed itself, as PKCS12 store and as PEM files.
 *
 * @param name of its files
 * @param directory where they are
 */
public record TestCertificates(String name, Path directory) {

    /** Of the PKCS12 store. */
    public static final String PASSWORD = "changeit";

    /** Makes a key; its certificate is good for 127.0.0.1. */
    public static TestCertificates create(Path directory, String name, String distinguishedName)
            throws IOException, InterruptedException, GeneralSecurityException {
        return create(directory, name, distinguishedName, "ip:127.0.0.1,dns:localhost");
    }

    /** Makes a key whose certificate is good for other names, such as {@code dns:elsewhere.example}. */
    public static TestCertificates create(Path directory, String name, String distinguishedName, String goodFor)
            throws IOException, InterruptedException, GeneralSecurityException {
        TestCertificates made = new TestCertificates(name, directory);
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(List.of(
                        keytool.toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-alias",
                        "key",
                        "-dname",
                        distinguishedName,
                        "-ext",
                        "SAN=" + goodFor,
                        "-validity",
                        "3650",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        made.store().toString()))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("keytool failed: " + said);
        }
        made.writePem();
        return made;
    }

    private void writePem() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store())) {
            store.load(in, PASSWORD.toCharArray());
        }
        Key key = store.getKey("key", PASSWORD.toCharArray());
        String certificate = pem("CERTIFICATE", store.getCertificate("key").getEncoded());
        Files.writeString(certificatePem(), certificate);
        Files.writeString(keyPem(), pem("PRIVATE KEY", key.getEncoded()) + certificate);
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }

    /** The key and its certificate, as PKCS12. */
    public Path store() {
        return directory.resolve(name + ".p12");
    }

    /** The key and its certificate. */
    public Path keyPem() {
        return directory.resolve(name + ".pem");
    }

    /** The certificate alone, for those who are to trust it. */
    public Path certificatePem() {
        return directory.resolve(name + "-certificate.pem");
    }
}
