package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.coordinator.metadata.ControllerBusyException;
import io.millrace.coordinator.metadata.IndeterminateException;
import io.millrace.coordinator.metadata.MetadataFormatException;
import io.millrace.coordinator.metadata.NotControllerException;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.DiskFullException;
import io.millrace.log.LogClosedException;
import io.millrace.log.LogDamagedException;
import io.millrace.log.OffsetOutOfRangeException;
import io.millrace.log.StorageException;
import io.millrace.log.config.InvalidConfigException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.InvalidDestinationNameException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one table from exceptions to what clients are told. */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    /** Has an exchange answered when a stage completes, with a failure if it does not complete normally. */
    static <T> void answerWhenDone(CompletionStage<T> stage, Exchange exchange, Consumer<T> answer) {
        stage.whenComplete((result, failure) -> {
            if (failure != null) {
                answer(exchange, failure);
                return;
            }
            try {
                answer.accept(result);
            } catch (RuntimeException e) {
                answer(exchange, e);
            }
        });
    }

    /** Answers a request that failed; if it is answered already, the failure is only logged. */
    static void answer(Exchange exchange, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        ErrorCode code = codeOf(cause);
        if (code == ErrorCode.UNKNOWN_SERVER_ERROR) {
            LOG.error("A request of {} failed: this is a bug in the broker", exchange.connection(), cause);
        }
        if (!exchange.isFinished()) {
            String message = cause.getMessage();
            exchange.fail(code, message == null ? cause.toString() : message);
        }
    }

    private static ErrorCode codeOf(Throwable cause) {
        return switch (cause) {
            case RequestFailedException e -> e.code();
            case InvalidDestinationNameException e -> ErrorCode.INVALID_DESTINATION;
            case InvalidConfigException e -> ErrorCode.INVALID_CONFIG;
            case OffsetOutOfRangeException e -> ErrorCode.OFFSET_OUT_OF_RANGE;
            case DiskFullException e -> ErrorCode.DISK_FULL;
            case DirectoryReadOnlyException e -> ErrorCode.STORAGE_UNAVAILABLE;
            case LogDamagedException e -> ErrorCode.STORAGE_UNAVAILABLE;
            case LogClosedException e -> ErrorCode.DESTINATION_NOT_FOUND;
            case StorageException e -> ErrorCode.STORAGE_UNAVAILABLE;
            case NotControllerException e -> ErrorCode.NOT_LEADER;
            case ControllerBusyException e -> ErrorCode.TOO_MANY_REQUESTS;
            case IndeterminateException e -> ErrorCode.INDETERMINATE;
            case MetadataFormatException e -> ErrorCode.INVALID_REQUEST;
            case TransactionException e -> codeOf(e.error());
            default -> ErrorCode.UNKNOWN_SERVER_ERROR;
        };
    }

    private static ErrorCode codeOf(TransactionError error) {
        return switch (error) {
            case UNKNOWN -> ErrorCode.BRANCH_NOT_FOUND;
            case FENCED, ROLLED_BACK -> ErrorCode.TRANSACTION_ROLLED_BACK;
            case TIMED_OUT -> ErrorCode.TRANSACTION_TIMED_OUT;
            case INVALID_STATE -> ErrorCode.TRANSACTION_STATE;
            case CONCURRENT, NOT_AVAILABLE -> ErrorCode.TRANSACTION_NOT_AVAILABLE;
            case DUPLICATE -> ErrorCode.BRANCH_EXISTS;
            case NOT_OWNER -> ErrorCode.NOT_AUTHORIZED;
            case INVALID_TIMEOUT -> ErrorCode.INVALID_REQUEST;
            case TOO_MANY -> ErrorCode.LIMIT_EXCEEDED;
            case HEURISTIC_COMMIT -> ErrorCode.BRANCH_COMMITTED_BY_OPERATOR;
            case HEURISTIC_ROLLBACK -> ErrorCode.BRANCH_ROLLED_BACK_BY_OPERATOR;
            case IN_DOUBT -> ErrorCode.TRANSACTION_IN_DOUBT;
        };
    }
}
