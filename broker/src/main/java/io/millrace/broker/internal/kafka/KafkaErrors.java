package io.millrace.broker.internal.kafka;

import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.coordinator.metadata.ControllerBusyException;
import io.millrace.coordinator.metadata.IndeterminateException;
import io.millrace.coordinator.metadata.MetadataFormatException;
import io.millrace.coordinator.metadata.NotControllerException;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.log.DiskFullException;
import io.millrace.log.LogClosedException;
import io.millrace.log.OffsetOutOfRangeException;
import io.millrace.log.StorageException;
import io.millrace.log.config.InvalidConfigException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.InvalidDestinationNameException;
import io.millrace.wire.record.BatchTooLargeException;
import io.millrace.wire.record.CorruptBatchException;
import io.millrace.wire.record.InvalidBatchException;
import io.millrace.wire.record.RecordFormatException;
import io.millrace.wire.record.RecordRefusedException;
import io.millrace.wire.record.UnsupportedCompressionException;
import io.millrace.wire.record.UnsupportedMagicException;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one table from what goes wrong here to Kafka's error codes. */
public final class KafkaErrors {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaErrors.class);

    private KafkaErrors() {}

    /** Returns Kafka's exception for a failure, with the same message; an unknown failure is a bug and logged as such. */
    public static ApiException toException(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof ApiException known) {
            return known;
        }
        String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        ApiException exception = of(cause).exception(message);
        return exception == null ? Errors.UNKNOWN_SERVER_ERROR.exception(message) : exception;
    }

    /** Returns Kafka's error for a failure. */
    public static Errors of(Throwable failure) {
        Throwable cause = unwrap(failure);
        return switch (cause) {
            case ApiException e -> Errors.forException(e);
            case RequestFailedException e -> of(e.code());
            case InvalidDestinationNameException _ -> Errors.INVALID_TOPIC_EXCEPTION;
            case InvalidConfigException _ -> Errors.INVALID_CONFIG;
            case OffsetOutOfRangeException _ -> Errors.OFFSET_OUT_OF_RANGE;
            case BatchTooLargeException _ -> Errors.MESSAGE_TOO_LARGE;
            case CorruptBatchException _ -> Errors.CORRUPT_MESSAGE;
            case InvalidBatchException _ -> Errors.INVALID_RECORD;
            case RecordRefusedException e ->
                e.reason() == RecordRefusedException.Reason.NO_KEY ? Errors.INVALID_RECORD : Errors.INVALID_TIMESTAMP;
            case UnsupportedMagicException _ -> Errors.UNSUPPORTED_FOR_MESSAGE_FORMAT;
            case UnsupportedCompressionException _ -> Errors.UNSUPPORTED_COMPRESSION_TYPE;
            case RecordFormatException _ -> Errors.CORRUPT_MESSAGE;
            case LogClosedException _ -> Errors.NOT_LEADER_OR_FOLLOWER;
            // Clients repeat a storage error until their time is up, and then say nothing of a disk.
            case DiskFullException _ -> Errors.POLICY_VIOLATION;
            case StorageException _ -> Errors.KAFKA_STORAGE_ERROR;
            case NotControllerException _ -> Errors.NOT_CONTROLLER;
            case ControllerBusyException _ -> Errors.THROTTLING_QUOTA_EXCEEDED;
            case IndeterminateException _ -> Errors.REQUEST_TIMED_OUT;
            case MetadataFormatException _ -> Errors.INVALID_REQUEST;
            case TransactionException e -> of(e.error());
            default -> {
                LOG.error("A request of a Kafka client failed: this is a bug in the broker", cause);
                yield Errors.UNKNOWN_SERVER_ERROR;
            }
        };
    }

    private static Errors of(TransactionError error) {
        return switch (error) {
            case UNKNOWN -> Errors.INVALID_PRODUCER_ID_MAPPING;
            case FENCED -> Errors.PRODUCER_FENCED;
            case INVALID_STATE, DUPLICATE, HEURISTIC_COMMIT, HEURISTIC_ROLLBACK -> Errors.INVALID_TXN_STATE;
            case ROLLED_BACK, TIMED_OUT -> Errors.TRANSACTION_ABORTABLE;
            case CONCURRENT -> Errors.CONCURRENT_TRANSACTIONS;
            case NOT_OWNER -> Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
            case INVALID_TIMEOUT -> Errors.INVALID_TRANSACTION_TIMEOUT;
            case TOO_MANY -> Errors.THROTTLING_QUOTA_EXCEEDED;
            // Producers look for the coordinator again, and then repeat what they asked.
            case NOT_AVAILABLE, IN_DOUBT -> Errors.COORDINATOR_NOT_AVAILABLE;
        };
    }

    /** Returns Kafka's error for one of the broker's own. */
    public static Errors of(ErrorCode code) {
        return switch (code) {
            case NONE -> Errors.NONE;
            case UNSUPPORTED_VERSION -> Errors.UNSUPPORTED_VERSION;
            case AUTHENTICATION_FAILED -> Errors.SASL_AUTHENTICATION_FAILED;
            case NOT_AUTHORIZED -> Errors.TOPIC_AUTHORIZATION_FAILED;
            case INVALID_DESTINATION, WRONG_DESTINATION_KIND -> Errors.INVALID_TOPIC_EXCEPTION;
            case DESTINATION_NOT_FOUND -> Errors.UNKNOWN_TOPIC_OR_PARTITION;
            case DESTINATION_EXISTS -> Errors.TOPIC_ALREADY_EXISTS;
            case NOT_LEADER, STALE_EPOCH, SHUTTING_DOWN -> Errors.NOT_LEADER_OR_FOLLOWER;
            case CORRUPT_BATCH, MALFORMED_FRAME -> Errors.CORRUPT_MESSAGE;
            case MESSAGE_TOO_LARGE, FRAME_TOO_LARGE -> Errors.MESSAGE_TOO_LARGE;
            case OUT_OF_ORDER_SEQUENCE -> Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
            case PRODUCER_FENCED -> Errors.INVALID_PRODUCER_EPOCH;
            case UNKNOWN_PRODUCER -> Errors.UNKNOWN_PRODUCER_ID;
            case OFFSET_OUT_OF_RANGE -> Errors.OFFSET_OUT_OF_RANGE;
            case TOO_MANY_REQUESTS -> Errors.THROTTLING_QUOTA_EXCEEDED;
            case LIMIT_EXCEEDED, DISK_FULL -> Errors.POLICY_VIOLATION;
            case STORAGE_UNAVAILABLE, INDETERMINATE -> Errors.KAFKA_STORAGE_ERROR;
            case TIMEOUT -> Errors.REQUEST_TIMED_OUT;
            case INVALID_CONFIG -> Errors.INVALID_CONFIG;
            case INVALID_REQUEST,
                    UNKNOWN_SESSION,
                    UNKNOWN_CONSUMER,
                    CLIENT_ID_IN_USE,
                    SUBSCRIPTION_IN_USE,
                    SUBSCRIPTION_NOT_FOUND,
                    SUBSCRIPTION_MISMATCH,
                    ACQUISITION_NOT_CURRENT,
                    TRANSACTION_ROLLED_BACK,
                    TRANSACTION_IN_DOUBT,
                    TRANSACTION_NOT_AVAILABLE,
                    BRANCH_NOT_FOUND,
                    BRANCH_EXISTS,
                    TRANSACTION_STATE,
                    BRANCH_COMMITTED_BY_OPERATOR,
                    BRANCH_ROLLED_BACK_BY_OPERATOR,
                    TRANSACTION_TIMED_OUT,
                    INVALID_SELECTOR -> Errors.INVALID_REQUEST;
            case UNKNOWN_SERVER_ERROR -> Errors.UNKNOWN_SERVER_ERROR;
        };
    }

    private static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
