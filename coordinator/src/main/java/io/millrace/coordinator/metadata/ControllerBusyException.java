package io.millrace.coordinator.metadata;

import io.millrace.wire.MillraceException;

/** Too many commands are waiting for the metadata log. This one was surely not done; the same may succeed a moment later. */
public final class ControllerBusyException extends MillraceException {

    ControllerBusyException(int waiting) {
        super(
                Category.RETRIABLE,
                waiting + " commands are waiting for the metadata log, which is all that may; try again");
    }
}
