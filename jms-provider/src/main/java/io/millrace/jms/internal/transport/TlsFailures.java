package io.millrace.jms.internal.transport;

import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Says of what ended a connection before the server's first answer what it was, why, and what to do. */
final class TlsFailures {

    private TlsFailures() {}

    /** A handshake that failed, or an alert that came after it. */
    static ConnectException ofTls(ServerAddress address, boolean hasCertificate, Throwable failure) {
        return new ConnectException(
                "Cannot connect to " + address + " with TLS: " + explained(address, hasCertificate, failure), failure);
    }

    private static String explained(ServerAddress address, boolean hasCertificate, Throwable failure) {
        String said = innermost(failure);
        if (find(failure, NotSslRecordException.class)) {
            return "what it answered is not TLS; connect without the tls options, or to its listener with TLS";
        }
        if (find(failure, CertificateExpiredException.class) || find(failure, CertificateNotYetValidException.class)) {
            return "its certificate is not valid now (" + said
                    + "): the server needs a new one, unless a clock is wrong";
        }
        if (find(failure, CertPathBuilderException.class) || find(failure, CertPathValidatorException.class)) {
            return "its certificate is not trusted (" + said
                    + "); name a PEM file that has it, or the one that signed it, with tlsTrust";
        }
        if (find(failure, CertificateException.class)) {
            return "its certificate is not for " + address.host() + " (" + said
                    + "); connect to a host that it names, or switch this check off with tlsVerifyHost=false";
        }
        if (isAlert(said)) {
            return alert(hasCertificate, said);
        }
        if (find(failure, ClosedChannelException.class) || isReset(failure)) {
            return "it closed the connection during the handshake; either that port has no TLS, then connect without the"
                    + " tls options, or the server's log says why";
        }
        return said;
    }

    private static String alert(boolean hasCertificate, String said) {
        if (!said.contains("certificate") && !said.contains("handshake_failure") && !said.contains("unknown_ca")) {
            return "the server refused the handshake (" + said + "); its log says why";
        }
        return hasCertificate
                ? "the server did not accept the certificate of tlsCertificate (" + said
                        + "); its ssl.truststore must have that one or the one that signed it"
                : "the server refused the handshake (" + said
                        + "): it wants a certificate of the client; name its file with tlsCertificate, and its key's with"
                        + " tlsKey";
    }

    /** A connection that ended, or became nonsense, before the server said anything. */
    static ConnectException early(ServerAddress address, TlsUse tls, String what) {
        String hint = switch (tls) {
            case NONE -> "if the server's listener uses TLS, set tls=true";
            case WITHOUT_CERTIFICATE ->
                "if the server's listener wants a certificate of the client, name its file with tlsCertificate, and its"
                        + " key's with tlsKey; else the server's log says why";
            case WITH_CERTIFICATE ->
                "perhaps the server did not accept the certificate of tlsCertificate; its log says why";
        };
        return new ConnectException("Cannot connect to " + address + ": " + what + "; " + hint);
    }

    /** What a client does about TLS. */
    enum TlsUse {
        NONE,
        WITHOUT_CERTIFICATE,
        WITH_CERTIFICATE
    }

    private static boolean isAlert(String said) {
        return said.toLowerCase(Locale.ROOT).contains("fatal alert");
    }

    private static boolean isReset(Throwable failure) {
        return failure instanceof IOException && !(failure instanceof SSLException);
    }

    private static boolean find(Throwable failure, Class<? extends Throwable> kind) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the message of the cause of the causes, which is the one that says something. */
    static String innermost(Throwable failure) {
        Throwable cause = failure;
        String said = String.valueOf(failure.getMessage());
        while (cause.getCause() != null) {
            cause = cause.getCause();
            said = cause.getMessage() == null ? said : cause.getMessage();
        }
        return said;
    }
}
