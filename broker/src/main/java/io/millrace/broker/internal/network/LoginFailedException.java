package io.millrace.broker.internal.network;

import io.millrace.wire.MillraceException;

/** A client may not log in this way. It is told so, without details that help to guess, and its connection ends. */
final class LoginFailedException extends MillraceException {

    LoginFailedException(String message) {
        super(Category.REJECTED, message);
    }
}
