package io.millrace.jms.admin;

import io.millrace.jms.internal.transport.ConnectException;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;
import java.util.Optional;

/** An administrative request was not done, or, without a code, it is not known whether it was. */
public final class MillraceAdminException extends MillraceException {

    private final Optional<ErrorCode> code;

    MillraceAdminException(LinkException cause) {
        super(cause.category(), cause.getMessage(), cause);
        this.code = cause instanceof RequestRefusedException refused
                ? Optional.of(refused.code())
                : cause instanceof ConnectException refused ? refused.code() : Optional.empty();
    }

    MillraceAdminException(String what, InterruptedException cause) {
        super(Category.RETRIABLE, what + ": the thread was interrupted while it waited; it may still be done", cause);
        this.code = Optional.empty();
    }

    /** Returns why the server refused; empty if it could not be asked or did not answer. */
    public Optional<ErrorCode> code() {
        return code;
    }
}
