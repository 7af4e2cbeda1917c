package io.millrace.wire.login;

import io.millrace.wire.MillraceException;

/**
 * A login exchange cannot go on: the peer's message breaks the mechanism's rules, or its proof is wrong. Nobody is logged in. The message
 * is for the own side's log; what the peer is told is only that authentication failed.
 */
public final class LoginException extends MillraceException {

    LoginException(String message) {
        super(Category.REJECTED, message);
    }
}
