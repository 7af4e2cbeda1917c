package io.millrace.wire;

import io.millrace.wire.MillraceException.Category;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What went wrong, as it travels in native frames.
 *
 * <p>The numbers are part of the protocol ({@code docs/protocol.md}) and never change their meaning. A number that is new in a later
 * protocol version is only sent to peers that negotiated that version.
 */
public enum ErrorCode {
    /** Nothing. Only in a Goodbye. */
    NONE(0, Category.REJECTED),
    /** The server failed in a way that it has no code for; its log tells more. The request may have been done. */
    UNKNOWN_SERVER_ERROR(1, Category.RETRIABLE),
    /** No common protocol version, or a feature that the negotiated one lacks. */
    UNSUPPORTED_VERSION(2, Category.REJECTED),
    /** The peer sent bytes that are no frame of the protocol. The connection ends. */
    MALFORMED_FRAME(3, Category.REJECTED),
    /** A frame or transfer is above the limits told in HelloOk. The connection ends. */
    FRAME_TOO_LARGE(4, Category.REJECTED),
    /** Wrong user, password or proof. Which of them is not told. */
    AUTHENTICATION_FAILED(5, Category.REJECTED),
    /** The principal may not do this. */
    NOT_AUTHORIZED(6, Category.REJECTED),
    /** The name cannot be the name of a destination. */
    INVALID_DESTINATION(7, Category.REJECTED),
    /** The destination is a queue where a topic was wanted, or the reverse. */
    WRONG_DESTINATION_KIND(8, Category.REJECTED),
    /** There is no such destination, and it was not to be created. */
    DESTINATION_NOT_FOUND(9, Category.REJECTED),
    /** There is a destination of this name already. */
    DESTINATION_EXISTS(10, Category.REJECTED),
    /** This broker does not lead the partition: describe the destination again. */
    NOT_LEADER(11, Category.RETRIABLE),
    /** The request names an older leader epoch than the partition's: describe the destination again. */
    STALE_EPOCH(12, Category.RETRIABLE),
    /** The record batch is damaged or breaks the rules of its format. */
    CORRUPT_BATCH(13, Category.REJECTED),
    /** The record batch is larger than the destination takes. */
    MESSAGE_TOO_LARGE(14, Category.REJECTED),
    /** The batch does not follow the last one of its producer: one before it is missing. */
    OUT_OF_ORDER_SEQUENCE(15, Category.REJECTED),
    /** A producer with the same id and a later epoch has taken over. */
    PRODUCER_FENCED(16, Category.REJECTED),
    /** The partition has no memory of this producer id, although the sequence says that there should be one. */
    UNKNOWN_PRODUCER(17, Category.REJECTED),
    /** The offset is below the log's start or above its end. */
    OFFSET_OUT_OF_RANGE(18, Category.REJECTED),
    /** The session was never opened on this connection, or has ended. */
    UNKNOWN_SESSION(19, Category.REJECTED),
    /** The consumer was never opened in this session, or has ended. */
    UNKNOWN_CONSUMER(20, Category.REJECTED),
    /** Another connection holds the client id. */
    CLIENT_ID_IN_USE(21, Category.REJECTED),
    /** Another consumer holds the subscription. */
    SUBSCRIPTION_IN_USE(22, Category.REJECTED),
    /** There is no such durable subscription. */
    SUBSCRIPTION_NOT_FOUND(23, Category.REJECTED),
    /** Consumers of a shared subscription must agree on its topic, selector and durability. */
    SUBSCRIPTION_MISMATCH(24, Category.REJECTED),
    /** The acquisition is over: the messages will be delivered again. */
    ACQUISITION_NOT_CURRENT(25, Category.REJECTED),
    /** More requests are open than HelloOk permits. */
    TOO_MANY_REQUESTS(26, Category.RETRIABLE),
    /** A configured limit of the broker (connections, sessions, consumers, destinations) is reached. */
    LIMIT_EXCEEDED(27, Category.REJECTED),
    /** The data directory is read-only after a failure, or the partition is offline. */
    STORAGE_UNAVAILABLE(28, Category.RETRIABLE),
    /** Only the reserve is left on the disk. Reads and acknowledgements go on. */
    DISK_FULL(29, Category.RETRIABLE),
    /** The broker is closing: connect to another one, or to this one when it is back. */
    SHUTTING_DOWN(30, Category.RETRIABLE),
    /** The server did not finish in time. The request may still be done. */
    TIMEOUT(31, Category.RETRIABLE),
    /** It is not known whether the request was done, as when the disk failed under it. */
    INDETERMINATE(32, Category.RETRIABLE),
    /** The request contradicts itself, or is not allowed in the state that the connection is in. */
    INVALID_REQUEST(33, Category.REJECTED),
    /** A configuration key is unknown or its value is out of range. */
    INVALID_CONFIG(34, Category.REJECTED),
    /** The transaction is rolled back: it was lost with its connection, or a part of it could not be written. */
    TRANSACTION_ROLLED_BACK(35, Category.REJECTED),
    /** Whether the transaction was committed is not known yet: the broker's transaction log does not answer. Ask again. */
    TRANSACTION_IN_DOUBT(36, Category.RETRIABLE),
    /** The transactions are not served here at present, or one before is not through. Nothing was done. */
    TRANSACTION_NOT_AVAILABLE(37, Category.RETRIABLE),
    /** There is no such branch, or, where a transaction of any kind was named, no such transaction. */
    BRANCH_NOT_FOUND(38, Category.REJECTED),
    /** There is such a branch already. */
    BRANCH_EXISTS(39, Category.REJECTED),
    /** Not possible in the state in which the branch or transaction is. */
    TRANSACTION_STATE(40, Category.REJECTED),
    /** An operator decided to commit the branch. It stays known until it is forgotten. */
    BRANCH_COMMITTED_BY_OPERATOR(41, Category.REJECTED),
    /** An operator decided to roll back the branch. It stays known until it is forgotten. */
    BRANCH_ROLLED_BACK_BY_OPERATOR(42, Category.REJECTED),
    /** The branch is rolled back: it was not prepared in time. */
    TRANSACTION_TIMED_OUT(43, Category.REJECTED),
    /** The text is no message selector; the message says at which column. */
    INVALID_SELECTOR(44, Category.REJECTED);

    private static final Map<Short, ErrorCode> BY_ID =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ErrorCode::id, Function.identity()));

    private final short id;
    private final Category category;

    ErrorCode(int id, Category category) {
        this.id = (short) id;
        this.category = category;
    }

    /** Returns the number on the wire. */
    public short id() {
        return id;
    }

    /** Returns what the requester can do about it; {@link Category#FATAL} does not occur, since it never leaves the server. */
    public Category category() {
        return category;
    }

    /**
     * Finds a code by its number on the wire.
     *
     * @param id any number
     * @return the code, or empty for a number that this version does not know
     */
    public static Optional<ErrorCode> fromId(short id) {
        return Optional.ofNullable(BY_ID.get(id));
    }
}
