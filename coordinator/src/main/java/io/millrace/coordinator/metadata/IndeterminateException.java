package io.millrace.coordinator.metadata;

import io.millrace.wire.MillraceException;

/**
 * The controller lost its leadership, or was closed, while a command was on its way into the metadata log: a later controller may or may
 * not carry it out. The requester finds out by repeating the command under the same operation id: it is not done a second time. A
 * repetition under a new id may do it twice.
 */
public final class IndeterminateException extends MillraceException {

    IndeterminateException(String why) {
        super(Category.RETRIABLE, "perhaps done, perhaps not: " + why + "; repeat it under the same operation id");
    }
}
