package io.millrace.jms.internal.options;

import io.millrace.jms.internal.transport.ClientTls;
import io.millrace.jms.internal.transport.ConnectException;
import io.millrace.jms.internal.transport.TlsFiles;
import java.nio.file.Path;
import java.util.Optional;

/** What a URL says of TLS. */
public final class TlsOptions {

    private static final Option[] IMPLYING = {
        Option.TLS_TRUST, Option.TLS_CERTIFICATE, Option.TLS_KEY, Option.TLS_KEY_PASSWORD, Option.TLS_VERIFY_HOST
    };

    private TlsOptions() {}

    /** Returns whether connections are encrypted. */
    public static boolean chosen(ServiceUrl url) {
        return url.flag(Option.TLS)
                || (url.find(Option.TLS).isEmpty() && implying(url).isPresent());
    }

    /**
     * Reads the files that the URL names.
     *
     * @return empty if connections are not encrypted
     * @throws ConnectException if the options contradict each other, or a file cannot be used
     */
    public static Optional<ClientTls> read(ServiceUrl url) {
        if (!chosen(url)) {
            // Whoever names a certificate relies on it being used.
            implying(url).ifPresent(option -> {
                throw new ConnectException(
                        "tls=false contradicts " + option.optionName() + ": take one of the two out of the URL");
            });
            return Optional.empty();
        }
        if (url.find(Option.TLS_CERTIFICATE).isEmpty()) {
            Optional<Option> idle = url.find(Option.TLS_KEY).isPresent()
                    ? Optional.of(Option.TLS_KEY)
                    : url.find(Option.TLS_KEY_PASSWORD).map(password -> Option.TLS_KEY_PASSWORD);
            idle.ifPresent(option -> {
                throw new ConnectException(option.optionName()
                        + " has no certificate that belongs to it: name its file with tlsCertificate, or both files");
            });
        }
        return Optional.of(ClientTls.of(
                new TlsFiles(
                        url.find(Option.TLS_TRUST).map(Path::of),
                        url.find(Option.TLS_CERTIFICATE).map(Path::of),
                        url.find(Option.TLS_KEY)
                                .or(() -> url.find(Option.TLS_CERTIFICATE))
                                .map(Path::of),
                        url.find(Option.TLS_KEY_PASSWORD)),
                url.flag(Option.TLS_VERIFY_HOST)));
    }

    private static Optional<Option> implying(ServiceUrl url) {
        for (Option option : IMPLYING) {
            if (url.find(option).isPresent()) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }
}
