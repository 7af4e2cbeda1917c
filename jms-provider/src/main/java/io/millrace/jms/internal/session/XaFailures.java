package io.millrace.jms.internal.session;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import javax.transaction.xa.XAException;

/** The one place where failures of the layers below become the errors of XA (XA specification, section 6). */
final class XaFailures {

    private XaFailures() {}

    static XAException of(LinkException failure) {
        XAException exception = of(
                failure instanceof RequestRefusedException refused ? of(refused.code()) : XAException.XAER_RMFAIL,
                String.valueOf(failure.getMessage()));
        exception.initCause(failure);
        return exception;
    }

    static XAException of(int code, String message) {
        XAException exception = new XAException(message);
        exception.errorCode = code;
        return exception;
    }

    /** What is in doubt, or not possible at present, is as a resource manager that cannot be reached: the transaction manager asks again. */
    private static int of(ErrorCode code) {
        return switch (code) {
            // Another user's branch is none that this one may know of.
            case BRANCH_NOT_FOUND, NOT_AUTHORIZED -> XAException.XAER_NOTA;
            case BRANCH_EXISTS -> XAException.XAER_DUPID;
            case TRANSACTION_STATE -> XAException.XAER_PROTO;
            case TRANSACTION_ROLLED_BACK -> XAException.XA_RBROLLBACK;
            case TRANSACTION_TIMED_OUT -> XAException.XA_RBTIMEOUT;
            case BRANCH_COMMITTED_BY_OPERATOR -> XAException.XA_HEURCOM;
            case BRANCH_ROLLED_BACK_BY_OPERATOR -> XAException.XA_HEURRB;
            case INVALID_REQUEST -> XAException.XAER_INVAL;
            case LIMIT_EXCEEDED -> XAException.XAER_RMERR;
            default -> XAException.XAER_RMFAIL;
        };
    }
}
