package io.millrace.wire.name;

import io.millrace.wire.MillraceException;

/** A text cannot be the name of a destination. Nothing was done; another name helps. */
public final class InvalidDestinationNameException extends MillraceException {

    InvalidDestinationNameException(String message) {
        super(Category.REJECTED, message);
    }
}
