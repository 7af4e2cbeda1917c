package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawTransactions;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.CommitBranch;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.EndTransaction;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.OpenTransactions;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.frame.TransactionEnded;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.name.DestinationKind;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames about transactions that no client of ours sends: they cost their sender the connection or an error, and no other transaction anything. */
class TransactionBadInputTest {

    private static final BranchId BRANCH = new BranchId(1, "0e", "0f");

    private final TestBroker broker = TestBroker.start();
    private final RawTransactions bystander = new RawTransactions(RawClient.inSession(broker.port()));
    private final DestinationDescribed queue = bystander.client().describe(DestinationKind.QUEUE, "orders");
    private final TransactionIdentity ofBystander = bystander.begin(BRANCH, 60_000);

    @AfterEach
    void othersAreNotHarmed() {
        assertThat(RawClient.join(bystander.send(queue, ofBystander, "still works")))
                .isInstanceOf(SendOk.class);
        RawClient.join(bystander.leave(BRANCH));
        bystander.client().request(Done.class, corr -> new CommitBranch(corr, BRANCH, true));
        bystander.client().close();
        broker.close();
    }

    private static void assertRefused(AnswerFrame answer, ErrorCode code) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Failure.class, why -> assertThat(why.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // PrepareBranch: the null Xid, a part of 65 bytes, no qualifier
                "0000000e680000002cffffffff020a1b0102",
                "0000004c680000002c0002000541"
                        + "0000000000000000000000000000000000000000000000000000000000000000"
                        + "0000000000000000000000000000000000000000000000000000000000000000" + "00" + "00",
                "0000000c680000002c00020005020a1b",
                // StartBranch: a mode and a timeout that do not exist
                "0000001764000000280000000100020005020a1b01020900007530",
                "0000001764000000280000000100020005020a1b010200ffffffff",
                // EndBranch: a mode that does not exist
                "00000013660000002a0000000100020005020a1b010209",
                // CommitBranch: neither true nor false
                "0000000f6a0000002d00020005020a1b010202",
                // OpenTransactions: none, too many
                "0000000d5a000000260000000100000000",
                "0000000d5a000000260000000100000009",
                // EndTransaction: slot 8, epoch -1, producer id -1
                "000000185c0000002700000001000000080000000000000fa0000701",
                "000000185c0000002700000001000000000000000000000fa0ffff01",
                "000000185c000000270000000100000000ffffffffffffffff000701",
            })
    void shouldEndAConnectionForWhatIsNoFrame(String bytes) {
        try (RawClient client = RawClient.inSession(broker.port())) {
            client.write(HexFormat.of().parseHex(bytes));

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.MALFORMED_FRAME);
            RawClient.join(client.ended());
        }
    }

    @Test
    void shouldRefuseWhatNamesNoTransactionOfTheSession() {
        RawTransactions other = new RawTransactions(RawClient.inSession(broker.port()));
        TransactionIdentity own = other.open();
        TransactionIdentity future = new TransactionIdentity(own.producerId(), (short) (own.epoch() + 5));
        TransactionIdentity madeUp = new TransactionIdentity(Long.MAX_VALUE, Short.MAX_VALUE);
        for (TransactionIdentity foreign : new TransactionIdentity[] {ofBystander, future, madeUp}) {
            assertRefused(RawClient.join(other.send(queue, foreign, "x")), ErrorCode.TRANSACTION_ROLLED_BACK);
            assertRefused(RawClient.join(other.end(foreign, true)), ErrorCode.TRANSACTION_ROLLED_BACK);
            assertRefused(RawClient.join(other.end(foreign, false)), ErrorCode.TRANSACTION_ROLLED_BACK);
        }
        assertRefused(
                other.client().failure(corr -> new EndTransaction(corr, 1, 7, own, true)),
                ErrorCode.TRANSACTION_ROLLED_BACK);
        assertRefused(other.client().failure(corr -> new OpenTransactions(corr, 99, 1)), ErrorCode.UNKNOWN_SESSION);
        RawClient.join(other.send(queue, own, "own"));
        assertThat(RawClient.join(other.end(own, true))).isInstanceOf(TransactionEnded.class);
        other.client().close();
    }

    @Test
    void shouldRollBackWhatWasSentInPart() {
        RawTransactions other = new RawTransactions(RawClient.inSession(broker.port()));
        TransactionIdentity own = other.open();
        RawClient.join(other.send(queue, own, "whole"));
        ByteBuffer damaged = RawTransactions.batch(own, "damaged");
        damaged.put(damaged.limit() - 2, (byte) ~damaged.get(damaged.limit() - 2));
        assertRefused(
                other.client()
                        .failure(corr -> new Send(
                                corr,
                                1,
                                queue.logId(),
                                0,
                                queue.partitions().getFirst().leaderEpoch(),
                                SendAnswer.WRITTEN,
                                damaged)),
                ErrorCode.CORRUPT_BATCH);
        assertRefused(RawClient.join(other.end(own, true)), ErrorCode.TRANSACTION_ROLLED_BACK);
        other.client().close();
    }
}
