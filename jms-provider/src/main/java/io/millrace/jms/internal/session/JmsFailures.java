package io.millrace.jms.internal.session;

import io.millrace.jms.internal.transport.ConnectException;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import java.util.Locale;
import java.util.Optional;

/** The one place where failures of the layers below become the exceptions of JMS. */
public final class JmsFailures {

    private JmsFailures() {}

    /** Returns the exception that JMS has for a failure, with its message, its cause, and its code if the server gave one. */
    public static JMSException of(LinkException failure) {
        Optional<ErrorCode> code = failure instanceof RequestRefusedException refused
                ? Optional.of(refused.code())
                : failure instanceof ConnectException refused ? refused.code() : Optional.empty();
        JMSException exception = code.map(known -> of(known, failure.getMessage()))
                .orElseGet(() -> new JMSException(failure.getMessage()));
        exception.setLinkedException(failure);
        exception.initCause(failure);
        return exception;
    }

    private static JMSException of(ErrorCode code, String message) {
        String name = code.name().toLowerCase(Locale.ROOT);
        return switch (code) {
            case AUTHENTICATION_FAILED, NOT_AUTHORIZED -> new JMSSecurityException(message, name);
            case INVALID_DESTINATION, WRONG_DESTINATION_KIND, DESTINATION_NOT_FOUND, SUBSCRIPTION_NOT_FOUND ->
                new InvalidDestinationException(message, name);
            case INVALID_SELECTOR -> new InvalidSelectorException(message, name);
            case CLIENT_ID_IN_USE -> new InvalidClientIDException(message, name);
            case SUBSCRIPTION_IN_USE, SUBSCRIPTION_MISMATCH -> new IllegalStateException(message, name);
            case DISK_FULL, STORAGE_UNAVAILABLE, LIMIT_EXCEEDED, TOO_MANY_REQUESTS ->
                new ResourceAllocationException(message, name);
            case TRANSACTION_ROLLED_BACK, TRANSACTION_TIMED_OUT -> new TransactionRolledBackException(message, name);
            case NONE,
                    UNKNOWN_SERVER_ERROR,
                    UNSUPPORTED_VERSION,
                    MALFORMED_FRAME,
                    FRAME_TOO_LARGE,
                    DESTINATION_EXISTS,
                    NOT_LEADER,
                    STALE_EPOCH,
                    CORRUPT_BATCH,
                    MESSAGE_TOO_LARGE,
                    OUT_OF_ORDER_SEQUENCE,
                    PRODUCER_FENCED,
                    UNKNOWN_PRODUCER,
                    OFFSET_OUT_OF_RANGE,
                    UNKNOWN_SESSION,
                    UNKNOWN_CONSUMER,
                    ACQUISITION_NOT_CURRENT,
                    SHUTTING_DOWN,
                    TIMEOUT,
                    INDETERMINATE,
                    INVALID_REQUEST,
                    INVALID_CONFIG,
                    TRANSACTION_IN_DOUBT,
                    TRANSACTION_NOT_AVAILABLE,
                    BRANCH_NOT_FOUND,
                    BRANCH_EXISTS,
                    TRANSACTION_STATE,
                    BRANCH_COMMITTED_BY_OPERATOR,
                    BRANCH_ROLLED_BACK_BY_OPERATOR -> new JMSException(message, name);
        };
    }

    /** Returns the exception for a thread that was interrupted while it waited, and marks it interrupted again. */
    static JMSException interrupted(String what) {
        Thread.currentThread().interrupt();
        return new JMSException(what + ": the thread was interrupted while it waited; it may still be done");
    }

    /** Returns the exception of a part of JMS that this version does not have. */
    static JMSException later(String feature) {
        return new JMSException(feature + " are not part of this version of Millrace; a later version brings them");
    }

    /** Returns the exception of an object that was closed. */
    static IllegalStateException closed(String what) {
        return new IllegalStateException("The " + what + " is closed");
    }
}
