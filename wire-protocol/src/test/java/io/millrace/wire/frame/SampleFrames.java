package io.millrace.wire.frame;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.name.TemporaryName;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** At least one frame of every type, with every optional field present and absent somewhere. The vectors are made of them. */
final class SampleFrames {

    private static final UUID CLIENT = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    private static final UUID LOG = UUID.fromString("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");
    private static final UUID SUBSCRIPTION = UUID.fromString("5ca1ab1e-0000-4000-8000-00000000cafe");

    private static final TransactionIdentity TRANSACTION = new TransactionIdentity(4_000, (short) 7);
    private static final BranchId BRANCH = new BranchId(131_077, "0a1b", "02");

    private static final TransactionSummary PREPARED = new TransactionSummary(
            "xa:131077:0a1b:02", TransactionDoor.XA, TransactionStatus.PREPARED, 61_000, "ann", 2);

    private SampleFrames() {}

    record Sample(String name, Frame frame) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Sample> all() {
        return List.of(
                new Sample("hello", new Hello(CLIENT, "millrace-jms", "0.1.0")),
                new Sample(
                        "hello-ok",
                        new HelloOk(
                                "cluster-1",
                                1,
                                LOG,
                                7,
                                1_767_225_600_000L,
                                5_000,
                                15_000,
                                262_144,
                                67_109_888,
                                32,
                                List.of("SCRAM-SHA-512", "PLAIN", "NONE"))),
                new Sample("login-none", new Login("NONE", bytes())),
                new Sample("login-plain", new Login("PLAIN", bytes(0, 'u', 0, 'p'))),
                new Sample("login-challenge", new LoginChallenge(bytes('r', '=', 'x'))),
                new Sample("login-ok", new LoginOk("anonymous", bytes())),
                new Sample("heartbeat", new Heartbeat(-2)),
                new Sample("heartbeat-ok", new HeartbeatOk(-2, 1_767_225_600_123L)),
                new Sample("goodbye", new Goodbye(ErrorCode.NONE, "")),
                new Sample("goodbye-malformed", new Goodbye(ErrorCode.MALFORMED_FRAME, "gr\u00FC\u00DFe \uD83D\uDE00")),
                new Sample("failure", new Failure(9, 3, ErrorCode.MESSAGE_TOO_LARGE, "too large")),
                new Sample("done", new Done(10, 0)),
                new Sample("transfer-begin", new TransferBegin(4, 300_000)),
                new Sample("transfer-grant", new TransferGrant(4)),
                new Sample("transfer-chunk", new TransferChunk(4, bytes(1, 2, 3))),
                new Sample("open-session", new OpenSession(11, 3, CLIENT)),
                new Sample("session-opened", new SessionOpened(11, 3, true)),
                new Sample("close-session", new CloseSession(12, 3)),
                new Sample("claim-client-id", new ClaimClientId(13, "payroll")),
                new Sample(
                        "describe-destination",
                        new DescribeDestination(14, Optional.of(DestinationKind.QUEUE), "orders", true)),
                new Sample("describe-any-destination", new DescribeDestination(15, Optional.empty(), "orders", false)),
                new Sample(
                        "destination-described",
                        new DestinationDescribed(
                                14,
                                LOG,
                                "orders",
                                DestinationKind.QUEUE,
                                67_108_864,
                                List.of(
                                        new PartitionLeader(1, 5, "127.0.0.1", 9092),
                                        new PartitionLeader(-1, 6, "", 0)))),
                new Sample("list-destinations", new ListDestinations(16, Optional.of(DestinationKind.TOPIC))),
                new Sample("list-all-destinations", new ListDestinations(17, Optional.empty())),
                new Sample(
                        "destinations-listed",
                        new DestinationsListed(
                                16,
                                List.of(new DestinationSummary("news", DestinationKind.TOPIC, LOG, 4, 1_000, 65_536)))),
                new Sample(
                        "create-destination",
                        new CreateDestination(
                                18,
                                DestinationKind.TOPIC,
                                "news",
                                -1,
                                List.of(new ConfigEntry("retention.ms", "1000")))),
                new Sample("delete-destination", new DeleteDestination(19, DestinationKind.QUEUE, "orders")),
                new Sample(
                        "alter-destination",
                        new AlterDestination(
                                19,
                                DestinationKind.QUEUE,
                                "orders",
                                -1,
                                List.of(
                                        new ConfigChange("flush", Optional.of("os")),
                                        new ConfigChange("retention.ms", Optional.empty())))),
                new Sample(
                        "purge-destination",
                        new PurgeDestination(
                                19, DestinationKind.TOPIC, "news", Optional.of("archive"), Optional.empty(), true)),
                new Sample("destination-purged", new DestinationPurged(19, 1_000, 7, 2)),
                new Sample(
                        "create-temporary", new CreateTemporary(19, DestinationKind.QUEUE, CLIENT, Optional.empty())),
                new Sample(
                        "renew-temporary",
                        new CreateTemporary(
                                19,
                                DestinationKind.TOPIC,
                                CLIENT,
                                Optional.of(TemporaryName.of(DestinationKind.TOPIC, 1, 7, CLIENT)
                                        .toString()))),
                new Sample(
                        "delete-temporary",
                        new DeleteTemporary(
                                19,
                                TemporaryName.of(DestinationKind.QUEUE, 1, 7, CLIENT)
                                        .toString())),
                new Sample("describe-log", new DescribeLog(20, LOG)),
                new Sample(
                        "log-described",
                        new LogDescribed(
                                20,
                                List.of(new DescribedConfig("flush", "ack", true)),
                                List.of(new PartitionDescription(
                                        0,
                                        1,
                                        5,
                                        10,
                                        90,
                                        100,
                                        95,
                                        4_096,
                                        1,
                                        List.of(new CursorDescription("audit", SUBSCRIPTION, 80, 12, 2, 1, 7)))))),
                new Sample("allocate-producer-id", new AllocateProducerId(21)),
                new Sample("producer-id-allocated", new ProducerIdAllocated(21, 4_000, (short) 0)),
                new Sample("send", new Send(22, 3, LOG, 0, 5, SendAnswer.REPLICATED, bytes(0xCA, 0xFE))),
                new Sample("send-ok", new SendOk(22, 3, 1_234_567_890_123L, 5)),
                new Sample("send-ok-repeated", new SendOk(23, 3, -1, 5)),
                new Sample(
                        "subscribe",
                        new Subscribe(
                                24,
                                3,
                                2,
                                LOG,
                                "audit",
                                Optional.of("payroll"),
                                true,
                                false,
                                Optional.of("a > 1"),
                                true)),
                new Sample(
                        "subscribe-shared",
                        new Subscribe(25, 3, 2, LOG, "audit", Optional.empty(), false, true, Optional.empty(), false)),
                new Sample("subscribe-cursor", Subscribe.toCursor(25, 3, 2, LOG, "audit")),
                new Sample("subscribed", new Subscribed(24, 3, SUBSCRIPTION)),
                new Sample("unsubscribe", new Unsubscribe(26, 3, Optional.of("payroll"), "audit")),
                new Sample("leave-subscription", new LeaveSubscription(27, 3, 2, SUBSCRIPTION)),
                new Sample(
                        "open-queue-consumer",
                        new OpenConsumer(
                                28,
                                3,
                                2,
                                LOG,
                                0,
                                ConsumerSource.QUEUE,
                                OpenConsumer.NO_SUBSCRIPTION,
                                StartPosition.LATEST,
                                -1,
                                100,
                                1_048_576,
                                List.of(new HeldAcquisition(
                                        41, List.of(new OffsetRange(7, 2), new OffsetRange(300, 1)))))),
                new Sample(
                        "open-selective-consumer",
                        new OpenConsumer(
                                28,
                                3,
                                2,
                                LOG,
                                0,
                                ConsumerSource.QUEUE,
                                OpenConsumer.NO_SUBSCRIPTION,
                                StartPosition.LATEST,
                                -1,
                                Optional.of("a > 1"),
                                100,
                                1_048_576,
                                List.of())),
                new Sample(
                        "open-subscription-consumer",
                        new OpenConsumer(
                                29,
                                3,
                                2,
                                LOG,
                                1,
                                ConsumerSource.SUBSCRIPTION,
                                SUBSCRIPTION,
                                StartPosition.LATEST,
                                -1,
                                0,
                                0,
                                List.of())),
                new Sample(
                        "open-private-consumer",
                        new OpenConsumer(
                                30,
                                3,
                                4,
                                LOG,
                                0,
                                ConsumerSource.PRIVATE,
                                OpenConsumer.NO_SUBSCRIPTION,
                                StartPosition.OFFSET,
                                77,
                                1,
                                1,
                                List.of())),
                new Sample("consumer-opened", new ConsumerOpened(28, 3, 2, 0, 5, 7)),
                new Sample("close-consumer", new CloseConsumer(31, 3, 2, 0)),
                new Sample("consumer-closed", new ConsumerClosed(3, 2, 0, ErrorCode.DESTINATION_NOT_FOUND, "deleted")),
                new Sample("credit", new Credit(3, 2, 0, 50, 4_096)),
                new Sample("credit-taken-back", new Credit(3, 2, 0, -50, 0)),
                new Sample(
                        "deliver-records",
                        new Deliver(
                                3,
                                2,
                                0,
                                5,
                                42,
                                DeliveryForm.RECORDS,
                                1_000,
                                1_767_225_600_000L,
                                DeliveryEntries.of(new int[] {0, 1, 200}, new int[] {1, 1, 3}),
                                bytes(0x0A, 0x0B, 0x0C))),
                new Sample(
                        "deliver-batch",
                        new Deliver(
                                3,
                                2,
                                0,
                                5,
                                43,
                                DeliveryForm.BATCH,
                                2_000,
                                0,
                                DeliveryEntries.of(new int[] {5}, new int[] {1}),
                                bytes(0xBA, 0x7C))),
                new Sample(
                        "acknowledge",
                        new Acknowledge(
                                32,
                                3,
                                true,
                                List.of(new AcknowledgedRanges(2, 0, 5, 42, List.of(new OffsetRange(1_000, 2)))))),
                new Sample(
                        "acknowledge-in-transaction",
                        new Acknowledge(
                                32,
                                3,
                                false,
                                Optional.of(TRANSACTION),
                                List.of(new AcknowledgedRanges(4, 2, 0, 5, 42, List.of(new OffsetRange(1_000, 2)))))),
                new Sample("acknowledged", new Acknowledged(32, 3, List.of())),
                new Sample(
                        "acknowledged-in-part",
                        new Acknowledged(33, 3, List.of(new RefusedRanges(2, 0, List.of(new OffsetRange(1_000, 1)))))),
                new Sample(
                        "release",
                        new Release(
                                34,
                                3,
                                2,
                                0,
                                5,
                                List.of(
                                        new ReleasedRanges(42, List.of(new OffsetRange(1_000, 1)), true),
                                        new ReleasedRanges(43, List.of(new OffsetRange(2_005, 1)), false)))),
                new Sample("pull", new Pull(35, 3, 2, 0)),
                new Sample("pull-done", new PullDone(35, 3, 2, 0, false)),
                new Sample("read-log", new ReadLog(36, LOG, 0, 0, 65_536)),
                new Sample("log-read", new LogRead(36, 0, 100, bytes(0xDE, 0xAD))),
                new Sample("log-read-at-the-end", new LogRead(37, 0, 100, bytes())),
                new Sample("browse-queue", new BrowseQueue(36, LOG, 0, 0, BrowseQueue.END_OF_NOW, 65_536)),
                new Sample(
                        "queue-browsed",
                        new QueueBrowsed(
                                36,
                                130,
                                200,
                                List.of(new BrowsedRange(100, 20, 1), new BrowsedRange(125, 5, 3)),
                                bytes(0xDE, 0xAD))),
                new Sample("queue-browsed-at-the-end", new QueueBrowsed(37, 200, 200, List.of(), bytes())),
                new Sample("open-transactions", new OpenTransactions(38, 3, 2)),
                new Sample(
                        "transactions-opened",
                        new TransactionsOpened(38, 3, List.of(TRANSACTION, new TransactionIdentity(4_001, (short) 0)))),
                new Sample("end-transaction", new EndTransaction(39, 3, 1, TRANSACTION, true)),
                new Sample("transaction-ended", new TransactionEnded(39, 3, new TransactionIdentity(4_000, (short) 8))),
                new Sample("start-branch", new StartBranch(40, 3, BRANCH, BranchStart.NEW, 30_000)),
                new Sample("join-branch", new StartBranch(41, 3, BRANCH, BranchStart.JOIN, 0)),
                new Sample("branch-started", new BranchStarted(40, 3, TRANSACTION)),
                new Sample("end-branch", new EndBranch(42, 3, BRANCH, BranchEnd.SUCCESS)),
                new Sample("suspend-branch", new EndBranch(43, 3, BRANCH, BranchEnd.SUSPEND)),
                new Sample("prepare-branch", new PrepareBranch(44, BRANCH)),
                new Sample("branch-prepared", new BranchPrepared(44, false)),
                new Sample("commit-branch", new CommitBranch(45, BRANCH, true)),
                new Sample("rollback-branch", new RollbackBranch(46, BRANCH)),
                new Sample("forget-branch", new ForgetBranch(47, new BranchId(0, "", ""))),
                new Sample("recover-branches", new RecoverBranches(48)),
                new Sample("branches-recovered", new BranchesRecovered(48, List.of(BRANCH))),
                new Sample("no-branches-recovered", new BranchesRecovered(49, List.of())),
                new Sample("list-transactions", new ListTransactions(50, List.of(), List.of(), 0)),
                new Sample(
                        "list-old-branches",
                        new ListTransactions(
                                51,
                                List.of(TransactionDoor.XA),
                                List.of(TransactionStatus.PREPARED, TransactionStatus.HEURISTIC_COMMIT),
                                60_000)),
                new Sample(
                        "transactions-listed",
                        new TransactionsListed(
                                50,
                                3,
                                List.of(
                                        PREPARED,
                                        new TransactionSummary(
                                                "pay", TransactionDoor.KAFKA, TransactionStatus.EMPTY, -1, "", 0)))),
                new Sample("describe-transaction", new DescribeTransaction(52, "xa:131077:0a1b:02")),
                new Sample(
                        "transaction-described",
                        new TransactionDescribed(
                                52,
                                PREPARED,
                                60_500,
                                -1,
                                false,
                                TRANSACTION,
                                List.of("s1"),
                                List.of(
                                        new TransactionParticipant("orders", 0, false, ParticipantStanding.OPEN, 1_000),
                                        new TransactionParticipant(
                                                "orders", 1, true, ParticipantStanding.UNKNOWN, -1)))),
                new Sample(
                        "decide-transaction",
                        new DecideTransaction(53, "xa:131077:0a1b:02", TransactionDecision.ROLL_BACK)));
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }
}
