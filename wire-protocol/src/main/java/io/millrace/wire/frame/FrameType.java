package io.millrace.wire.frame;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The table of all frames: number on the wire, who may send it, whether it may travel in a transfer, and its codec.
 *
 * <p>A number never changes its meaning. Answers have odd numbers, beside those of their requests.
 */
public enum FrameType {
    /** See {@link Hello}. */
    HELLO(1, Sender.CLIENT, false, Hello.class, Hello::read, Hello::write),
    /** See {@link HelloOk}. */
    HELLO_OK(2, Sender.SERVER, false, HelloOk.class, HelloOk::read, HelloOk::write),
    /** See {@link Login}. */
    LOGIN(3, Sender.CLIENT, false, Login.class, Login::read, Login::write),
    /** See {@link LoginChallenge}. */
    LOGIN_CHALLENGE(4, Sender.SERVER, false, LoginChallenge.class, LoginChallenge::read, LoginChallenge::write),
    /** See {@link LoginOk}. */
    LOGIN_OK(5, Sender.SERVER, false, LoginOk.class, LoginOk::read, LoginOk::write),
    /** See {@link Heartbeat}. */
    HEARTBEAT(6, Sender.CLIENT, false, Heartbeat.class, Heartbeat::read, Heartbeat::write),
    /** See {@link HeartbeatOk}. */
    HEARTBEAT_OK(7, Sender.SERVER, false, HeartbeatOk.class, HeartbeatOk::read, HeartbeatOk::write),
    /** See {@link Goodbye}. */
    GOODBYE(8, Sender.BOTH, false, Goodbye.class, Goodbye::read, Goodbye::write),
    /** See {@link Failure}. */
    FAILURE(9, Sender.SERVER, false, Failure.class, Failure::read, Failure::write),
    /** See {@link Done}. */
    DONE(10, Sender.SERVER, false, Done.class, Done::read, Done::write),
    /** See {@link TransferBegin}. */
    TRANSFER_BEGIN(11, Sender.BOTH, false, TransferBegin.class, TransferBegin::read, TransferBegin::write),
    /** See {@link TransferGrant}. */
    TRANSFER_GRANT(12, Sender.SERVER, false, TransferGrant.class, TransferGrant::read, TransferGrant::write),
    /** See {@link TransferChunk}. */
    TRANSFER_CHUNK(13, Sender.BOTH, false, TransferChunk.class, TransferChunk::read, TransferChunk::write),
    /** See {@link OpenSession}. */
    OPEN_SESSION(20, Sender.CLIENT, false, OpenSession.class, OpenSession::read, OpenSession::write),
    /** See {@link SessionOpened}. */
    SESSION_OPENED(21, Sender.SERVER, false, SessionOpened.class, SessionOpened::read, SessionOpened::write),
    /** See {@link CloseSession}. */
    CLOSE_SESSION(22, Sender.CLIENT, false, CloseSession.class, CloseSession::read, CloseSession::write),
    /** See {@link ClaimClientId}. */
    CLAIM_CLIENT_ID(24, Sender.CLIENT, false, ClaimClientId.class, ClaimClientId::read, ClaimClientId::write),
    /** See {@link DescribeDestination}. */
    DESCRIBE_DESTINATION(
            30, Sender.CLIENT, false, DescribeDestination.class, DescribeDestination::read, DescribeDestination::write),
    /** See {@link DestinationDescribed}. */
    DESTINATION_DESCRIBED(
            31,
            Sender.SERVER,
            true,
            DestinationDescribed.class,
            DestinationDescribed::read,
            DestinationDescribed::write),
    /** See {@link ListDestinations}. */
    LIST_DESTINATIONS(
            32, Sender.CLIENT, false, ListDestinations.class, ListDestinations::read, ListDestinations::write),
    /** See {@link DestinationsListed}. */
    DESTINATIONS_LISTED(
            33, Sender.SERVER, true, DestinationsListed.class, DestinationsListed::read, DestinationsListed::write),
    /** See {@link CreateDestination}. */
    CREATE_DESTINATION(
            34, Sender.CLIENT, false, CreateDestination.class, CreateDestination::read, CreateDestination::write),
    /** See {@link DeleteDestination}. */
    DELETE_DESTINATION(
            36, Sender.CLIENT, false, DeleteDestination.class, DeleteDestination::read, DeleteDestination::write),
    /** See {@link AlterDestination}. */
    ALTER_DESTINATION(
            40, Sender.CLIENT, false, AlterDestination.class, AlterDestination::read, AlterDestination::write),
    /** See {@link PurgeDestination}. */
    PURGE_DESTINATION(
            42, Sender.CLIENT, false, PurgeDestination.class, PurgeDestination::read, PurgeDestination::write),
    /** See {@link DestinationPurged}. */
    DESTINATION_PURGED(
            43, Sender.SERVER, false, DestinationPurged.class, DestinationPurged::read, DestinationPurged::write),
    /** See {@link CreateTemporary}. */
    CREATE_TEMPORARY(44, Sender.CLIENT, false, CreateTemporary.class, CreateTemporary::read, CreateTemporary::write),
    /** See {@link DeleteTemporary}. */
    DELETE_TEMPORARY(46, Sender.CLIENT, false, DeleteTemporary.class, DeleteTemporary::read, DeleteTemporary::write),
    /** See {@link DescribeLog}. */
    DESCRIBE_LOG(38, Sender.CLIENT, false, DescribeLog.class, DescribeLog::read, DescribeLog::write),
    /** See {@link LogDescribed}. */
    LOG_DESCRIBED(39, Sender.SERVER, true, LogDescribed.class, LogDescribed::read, LogDescribed::write),
    /** See {@link AllocateProducerId}. */
    ALLOCATE_PRODUCER_ID(
            50, Sender.CLIENT, false, AllocateProducerId.class, AllocateProducerId::read, AllocateProducerId::write),
    /** See {@link ProducerIdAllocated}. */
    PRODUCER_ID_ALLOCATED(
            51, Sender.SERVER, false, ProducerIdAllocated.class, ProducerIdAllocated::read, ProducerIdAllocated::write),
    /** See {@link Send}. */
    SEND(52, Sender.CLIENT, true, Send.class, Send::read, Send::write),
    /** See {@link SendOk}. */
    SEND_OK(53, Sender.SERVER, false, SendOk.class, SendOk::read, SendOk::write),
    /** See {@link Subscribe}. */
    SUBSCRIBE(60, Sender.CLIENT, false, Subscribe.class, Subscribe::read, Subscribe::write),
    /** See {@link Subscribed}. */
    SUBSCRIBED(61, Sender.SERVER, false, Subscribed.class, Subscribed::read, Subscribed::write),
    /** See {@link Unsubscribe}. */
    UNSUBSCRIBE(62, Sender.CLIENT, false, Unsubscribe.class, Unsubscribe::read, Unsubscribe::write),
    /** See {@link OpenConsumer}. */
    OPEN_CONSUMER(64, Sender.CLIENT, false, OpenConsumer.class, OpenConsumer::read, OpenConsumer::write),
    /** See {@link ConsumerOpened}. */
    CONSUMER_OPENED(65, Sender.SERVER, false, ConsumerOpened.class, ConsumerOpened::read, ConsumerOpened::write),
    /** See {@link CloseConsumer}. */
    CLOSE_CONSUMER(66, Sender.CLIENT, false, CloseConsumer.class, CloseConsumer::read, CloseConsumer::write),
    /** See {@link ConsumerClosed}. */
    CONSUMER_CLOSED(67, Sender.SERVER, false, ConsumerClosed.class, ConsumerClosed::read, ConsumerClosed::write),
    /** See {@link Credit}. */
    CREDIT(68, Sender.CLIENT, false, Credit.class, Credit::read, Credit::write),
    /** See {@link Deliver}. */
    DELIVER(70, Sender.SERVER, true, Deliver.class, Deliver::read, Deliver::write),
    /** See {@link Acknowledge}. */
    ACKNOWLEDGE(72, Sender.CLIENT, false, Acknowledge.class, Acknowledge::read, Acknowledge::write),
    /** See {@link Acknowledged}. */
    ACKNOWLEDGED(73, Sender.SERVER, false, Acknowledged.class, Acknowledged::read, Acknowledged::write),
    /** See {@link Release}. */
    RELEASE(74, Sender.CLIENT, false, Release.class, Release::read, Release::write),
    /** See {@link Pull}. */
    PULL(76, Sender.CLIENT, false, Pull.class, Pull::read, Pull::write),
    /** See {@link PullDone}. */
    PULL_DONE(77, Sender.SERVER, false, PullDone.class, PullDone::read, PullDone::write),
    /** See {@link LeaveSubscription}. */
    LEAVE_SUBSCRIPTION(
            78, Sender.CLIENT, false, LeaveSubscription.class, LeaveSubscription::read, LeaveSubscription::write),
    /** See {@link ReadLog}. */
    READ_LOG(80, Sender.CLIENT, false, ReadLog.class, ReadLog::read, ReadLog::write),
    /** See {@link LogRead}. */
    LOG_READ(81, Sender.SERVER, true, LogRead.class, LogRead::read, LogRead::write),
    /** See {@link BrowseQueue}. */
    BROWSE_QUEUE(82, Sender.CLIENT, false, BrowseQueue.class, BrowseQueue::read, BrowseQueue::write),
    /** See {@link QueueBrowsed}. */
    QUEUE_BROWSED(83, Sender.SERVER, true, QueueBrowsed.class, QueueBrowsed::read, QueueBrowsed::write),
    /** See {@link OpenTransactions}. */
    OPEN_TRANSACTIONS(
            90, Sender.CLIENT, false, OpenTransactions.class, OpenTransactions::read, OpenTransactions::write),
    /** See {@link TransactionsOpened}. */
    TRANSACTIONS_OPENED(
            91, Sender.SERVER, false, TransactionsOpened.class, TransactionsOpened::read, TransactionsOpened::write),
    /** See {@link EndTransaction}. */
    END_TRANSACTION(92, Sender.CLIENT, false, EndTransaction.class, EndTransaction::read, EndTransaction::write),
    /** See {@link TransactionEnded}. */
    TRANSACTION_ENDED(
            93, Sender.SERVER, false, TransactionEnded.class, TransactionEnded::read, TransactionEnded::write),
    /** See {@link StartBranch}. */
    START_BRANCH(100, Sender.CLIENT, false, StartBranch.class, StartBranch::read, StartBranch::write),
    /** See {@link BranchStarted}. */
    BRANCH_STARTED(101, Sender.SERVER, true, BranchStarted.class, BranchStarted::read, BranchStarted::write),
    /** See {@link EndBranch}. */
    END_BRANCH(102, Sender.CLIENT, false, EndBranch.class, EndBranch::read, EndBranch::write),
    /** See {@link PrepareBranch}. */
    PREPARE_BRANCH(104, Sender.CLIENT, false, PrepareBranch.class, PrepareBranch::read, PrepareBranch::write),
    /** See {@link BranchPrepared}. */
    BRANCH_PREPARED(105, Sender.SERVER, false, BranchPrepared.class, BranchPrepared::read, BranchPrepared::write),
    /** See {@link CommitBranch}. */
    COMMIT_BRANCH(106, Sender.CLIENT, false, CommitBranch.class, CommitBranch::read, CommitBranch::write),
    /** See {@link RollbackBranch}. */
    ROLLBACK_BRANCH(108, Sender.CLIENT, false, RollbackBranch.class, RollbackBranch::read, RollbackBranch::write),
    /** See {@link ForgetBranch}. */
    FORGET_BRANCH(110, Sender.CLIENT, false, ForgetBranch.class, ForgetBranch::read, ForgetBranch::write),
    /** See {@link RecoverBranches}. */
    RECOVER_BRANCHES(112, Sender.CLIENT, false, RecoverBranches.class, RecoverBranches::read, RecoverBranches::write),
    /** See {@link BranchesRecovered}. */
    BRANCHES_RECOVERED(
            113, Sender.SERVER, true, BranchesRecovered.class, BranchesRecovered::read, BranchesRecovered::write),
    /** See {@link ListTransactions}. */
    LIST_TRANSACTIONS(
            114, Sender.CLIENT, false, ListTransactions.class, ListTransactions::read, ListTransactions::write),
    /** See {@link TransactionsListed}. */
    TRANSACTIONS_LISTED(
            115, Sender.SERVER, true, TransactionsListed.class, TransactionsListed::read, TransactionsListed::write),
    /** See {@link DescribeTransaction}. */
    DESCRIBE_TRANSACTION(
            116,
            Sender.CLIENT,
            false,
            DescribeTransaction.class,
            DescribeTransaction::read,
            DescribeTransaction::write),
    /** See {@link TransactionDescribed}. */
    TRANSACTION_DESCRIBED(
            117,
            Sender.SERVER,
            true,
            TransactionDescribed.class,
            TransactionDescribed::read,
            TransactionDescribed::write),
    /** See {@link DecideTransaction}. */
    DECIDE_TRANSACTION(
            118, Sender.CLIENT, false, DecideTransaction.class, DecideTransaction::read, DecideTransaction::write);

    private static final Map<Integer, FrameType> BY_ID =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(FrameType::id, Function.identity()));

    private final int id;
    private final Sender sender;
    private final boolean transferable;

    @SuppressWarnings("ImmutableEnumChecker") // a method reference without state
    private final Function<FieldReader, ? extends Frame> reader;

    @SuppressWarnings("ImmutableEnumChecker") // a method reference without state
    private final BiConsumer<FieldWriter, Frame> writer;

    <F extends Frame> FrameType(
            int id,
            Sender sender,
            boolean transferable,
            Class<F> recordClass,
            Function<FieldReader, F> reader,
            BiConsumer<FieldWriter, F> writer) {
        this.id = id;
        this.sender = sender;
        this.transferable = transferable;
        this.reader = reader;
        this.writer = (out, frame) -> writer.accept(out, recordClass.cast(frame));
    }

    /** Returns the number on the wire, 1 to 255. */
    public int id() {
        return id;
    }

    /**
     * Returns whether this peer may send the frame.
     *
     * @param peer one end of the connection
     */
    public boolean sentBy(Peer peer) {
        return switch (sender) {
            case CLIENT -> peer == Peer.CLIENT;
            case SERVER -> peer == Peer.SERVER;
            case BOTH -> true;
        };
    }

    /** Returns whether the frame may be larger than {@link FrameCodec#MAX_FRAME_BYTES}, and then travels in a transfer. */
    public boolean transferable() {
        return transferable;
    }

    /**
     * Finds a type by its number.
     *
     * @param id any number
     * @return the type, or empty for a number that this version does not know
     */
    public static Optional<FrameType> fromId(int id) {
        return Optional.ofNullable(BY_ID.get(id));
    }

    Frame readFields(FieldReader in) {
        return reader.apply(in);
    }

    /** Writes the fields except a payload. */
    void writeFields(FieldWriter out, Frame frame) {
        writer.accept(out, frame);
    }

    private enum Sender {
        CLIENT,
        SERVER,
        BOTH
    }
}
