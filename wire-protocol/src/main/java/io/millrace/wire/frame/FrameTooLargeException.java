package io.millrace.wire.frame;

import io.millrace.wire.MillraceException;

/** A frame does not fit into the protocol's limits. Nothing was sent. */
public final class FrameTooLargeException extends MillraceException {

    FrameTooLargeException(FrameType type, long sizeBytes, int limitBytes) {
        super(
                Category.REJECTED,
                type + " frame of " + sizeBytes + " bytes is larger than the limit of " + limitBytes + " bytes");
    }
}
