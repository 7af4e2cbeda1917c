package io.millrace.server.internal.command;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import java.io.Console;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which broker a command talks to, and as whom. */
final class ServerOption {
    private static final String SCHEME = "millrace://";
    private static final String PASSWORD_VARIABLE = "MILLRACE_PASSWORD";

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9092",
            description =
                    "The broker; several may be given, separated by commas. Or a whole URL as JMS programs have it: "
                            + "'millrace://HOST:PORT?tls=true'. Default: ${DEFAULT-VALUE}.")
    private String server = "127.0.0.1:9092";

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Log in. The password is that of the URL, or what the environment has as " + PASSWORD_VARIABLE
                    + ", or it is asked for.")
    private @Nullable String user;

    @Option(names = "--tls", description = "Encrypt; the other options of TLS imply it.")
    private boolean tls;

    @Option(
            names = "--tls-trust",
            paramLabel = "FILE",
            description =
                    "PEM file of the server's certificate, or of the one that signed it; without, what Java trusts.")
    private @Nullable String trust;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "PEM file of a certificate of one's own to show.")
    private @Nullable String certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "PEM file of its key; without, it is in the file of the certificate.")
    private @Nullable String key;

    /** Made once, so that a password is asked for once. */
    private @Nullable MillraceConnectionFactory made;

    MillraceAdmin connectAdmin() {
        return connectionFactory().createAdmin();
    }

    MillraceConnectionFactory connectionFactory() {
        if (made == null) {
            try {
                made = make();
            } catch (IllegalArgumentException wrong) {
                throw new CommandFailure(ExitCode.USAGE, "--server: " + wrong.getMessage(), wrong);
            }
        }
        return made;
    }

    private MillraceConnectionFactory make() {
        MillraceConnectionFactory factory =
                new MillraceConnectionFactory(server.startsWith(SCHEME) ? server : SCHEME + server);
        if (tls) {
            factory.setTls(true);
        }
        if (trust != null) {
            factory.setTlsTrust(trust);
        }
        if (certificate != null) {
            factory.setTlsCertificate(certificate);
        }
        if (key != null) {
            factory.setTlsKey(key);
        }
        if (user != null) {
            factory.setUser(user);
        }
        if (!factory.getUser().isEmpty() && !factory.hasPassword()) {
            factory.setPassword(password(factory.getUser()));
        }
        return factory;
    }

    @SuppressWarnings("SystemConsoleNull") // of Java 25 it is null again where standard input is no terminal
    private static String password(String user) {
        String set = System.getenv(PASSWORD_VARIABLE);
        if (set != null) {
            return set;
        }
        Console console = System.console();
        if (console == null || !console.isTerminal()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "no password for user " + user + ": set " + PASSWORD_VARIABLE + ", there is no terminal to ask at");
        }
        char[] typed = console.readPassword("Password of %s: ", user);
        if (typed == null) {
            throw new CommandFailure(ExitCode.USAGE, "no password for user " + user);
        }
        String password = new String(typed);
        Arrays.fill(typed, ' ');
        return password;
    }
}
