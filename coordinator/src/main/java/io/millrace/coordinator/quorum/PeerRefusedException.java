package io.millrace.coordinator.quorum;

import io.millrace.wire.MillraceException;

/** A message between members of the quorum was not accepted; nothing was done with it. The message says why. */
public final class PeerRefusedException extends MillraceException {

    PeerRefusedException(String message) {
        super(Category.REJECTED, message);
    }

    PeerRefusedException(String message, Throwable cause) {
        super(Category.REJECTED, message, cause);
    }
}
