package io.millrace.broker.config;

import io.millrace.wire.MillraceException;

/** The broker cannot listen where it was told to, most often because another program does. Nothing was started. */
public final class PortUnavailableException extends MillraceException {

    /** Creates the exception for an address. */
    public PortUnavailableException(String host, int port, Throwable cause) {
        super(
                Category.REJECTED,
                "cannot listen on " + host + ":" + port + " (" + cause.getMessage()
                        + "): end the program that uses the port, or choose another one (port 0 takes a free one)",
                cause);
    }
}
