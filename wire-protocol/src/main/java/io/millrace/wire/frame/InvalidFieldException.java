package io.millrace.wire.frame;

import io.millrace.wire.MillraceException;

/** A frame cannot have this value in this field: a fault of the program that builds the frame. Nothing was sent. */
public final class InvalidFieldException extends MillraceException {

    InvalidFieldException(String field, String why) {
        super(Category.REJECTED, "field " + field + ": " + why);
    }
}
