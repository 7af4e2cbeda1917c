package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawTransactions;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.BranchPrepared;
import io.millrace.wire.frame.CommitBranch;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.PrepareBranch;
import io.millrace.wire.frame.TransactionEnded;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.name.DestinationKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wall clock jumps while transactions are open: timeouts go by the time that has passed. */
class TransactionClockTest {

    private static final BranchId IN_TIME = new BranchId(1, "01", "");
    private static final BranchId PREPARED = new BranchId(1, "02", "");
    private static final BranchId LATE = new BranchId(1, "03", "");
    private static final int TIMEOUT_MS = 60_000;

    private final FakeTimeSource time = new FakeTimeSource();

    /** Waits for an answer, which may wait for a delay of the broker. */
    private AnswerFrame answer(CompletableFuture<AnswerFrame> call) {
        await().until(() -> {
            time.advanceMs(10);
            return call.isDone();
        });
        return call.join();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void shouldTimeOutByTheTimeThatHasPassed(long direction) {
        // Sessions are not to end meanwhile: it is about transactions.
        try (TestBroker broker = TestBroker.start(time, "connections.max.idle.ms", "100000000")) {
            RawTransactions ofSession = new RawTransactions(RawClient.inSession(broker.port()));
            DestinationDescribed queue = ofSession.client().describe(DestinationKind.QUEUE, "orders");
            TransactionIdentity identity = ofSession.open();
            RawClient.join(ofSession.send(queue, identity, "of a session"));
            RawTransactions manager = new RawTransactions(RawClient.inSession(broker.port()));
            for (BranchId branch : new BranchId[] {IN_TIME, PREPARED, LATE}) {
                TransactionIdentity of = manager.begin(branch, TIMEOUT_MS);
                RawClient.join(manager.send(queue, of, "of a branch"));
                RawClient.join(manager.leave(branch));
            }

            time.jumpWallClockMs(direction * TimeUnit.HOURS.toMillis(1));
            for (int second = 0; second < 5; second++) {
                time.advanceMs(1_000);
            }

            assertThat(answer(manager.client().start(corr -> new CommitBranch(corr, IN_TIME, true))))
                    .isInstanceOf(Done.class);
            assertThat(answer(manager.client().start(corr -> new PrepareBranch(corr, PREPARED))))
                    .isInstanceOf(BranchPrepared.class);
            time.jumpWallClockMs(-direction * TimeUnit.HOURS.toMillis(2));
            await().until(() -> {
                time.advanceMs(5_000);
                // Who says nothing for so long is closed.
                ofSession.client().describe(DestinationKind.QUEUE, "orders");
                manager.client().describe(DestinationKind.QUEUE, "orders");
                return broker.openTransactions().stream().noneMatch(open -> open.startsWith("xa:1:03"));
            });

            assertThat(answer(manager.client().start(corr -> new PrepareBranch(corr, LATE))))
                    .isInstanceOfSatisfying(
                            Failure.class, late -> assertThat(late.code()).isEqualTo(ErrorCode.TRANSACTION_TIMED_OUT));
            assertThat(time.nanoTime()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS));
            assertThat(answer(manager.client().start(corr -> new CommitBranch(corr, PREPARED, false))))
                    .isInstanceOf(Done.class);
            assertThat(answer(ofSession.end(identity, true))).isInstanceOf(TransactionEnded.class);
            await().untilAsserted(() -> {
                time.advanceMs(10);
                assertThat(broker.openTransactions()).isEmpty();
            });
            ofSession.client().close();
            manager.client().close();
        }
    }
}
