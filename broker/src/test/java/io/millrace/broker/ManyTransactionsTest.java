package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawTransactions;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BranchEnd;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.BranchStart;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.EndBranch;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.OpenTransactions;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.frame.StartBranch;
import io.millrace.wire.frame.TransactionEnded;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.frame.TransactionsOpened;
import io.millrace.wire.name.DestinationKind;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** More open transactions than anybody should have: they are bounded, end with their clients, and are in nobody's way. */
class ManyTransactionsTest {

    private static final Logger LOG = LoggerFactory.getLogger(ManyTransactionsTest.class);

    private static final int MANY = 10_000;
    private static final int ROUNDS = 200;

    private static BranchId branch(int number) {
        return new BranchId(1, String.format(Locale.ROOT, "%08x", number), "");
    }

    private static long usedHeapBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Begins a branch, sends something, and goes on with the next. */
    private static void suspended(RawTransactions program, BranchId branch, DestinationDescribed queue) {
        TransactionIdentity identity = program.begin(branch, 600_000);
        // Not waited for: leaving the branch is.
        CompletableFuture<AnswerFrame> sent = program.send(queue, identity, "never");
        program.client().request(Done.class, corr -> new EndBranch(corr, 1, branch, BranchEnd.SUSPEND));
        assertThat(sent.getNow(null)).isInstanceOf(SendOk.class);
    }

    /** Returns how long so many commits took. */
    private static long commitNs(RawTransactions program, TransactionIdentity first, DestinationDescribed queue) {
        long beganNs = System.nanoTime();
        TransactionIdentity identity = first;
        for (int i = 0; i < ROUNDS; i++) {
            RawClient.join(program.send(queue, identity, "committed"));
            AnswerFrame ended = RawClient.join(program.end(identity, true));
            assertThat(ended).isInstanceOf(TransactionEnded.class);
            identity = ((TransactionEnded) ended).next();
        }
        return (System.nanoTime() - beganNs) / ROUNDS;
    }

    @Test
    void shouldHoldTenThousandOpenTransactionsAndEndThemWithTheirClient() {
        try (TestBroker broker = TestBroker.start("session.grace.ms", "100")) {
            RawTransactions other = new RawTransactions(RawClient.inSession(broker.port()));
            DestinationDescribed queue = other.client().describe(DestinationKind.QUEUE, "orders");
            TransactionIdentity own = other.open();
            commitNs(other, own, queue);
            long beforeBytes = usedHeapBytes();
            long aloneNs = commitNs(other, other.open(), queue);

            RawTransactions program = new RawTransactions(RawClient.inSession(broker.port()));
            for (int i = 0; i < MANY; i++) {
                suspended(program, branch(i), queue);
            }
            assertThat(broker.openTransactions()).hasSizeGreaterThanOrEqualTo(MANY);
            long openBytes = usedHeapBytes() - beforeBytes;
            long amongNs = commitNs(other, other.open(), queue);
            RawConsumer consumer = RawConsumer.onQueue(other.client(), 1, 1, queue, 10_000);
            assertThat(consumer.receive(3 * ROUNDS))
                    .extracting(RawConsumer.Message::text)
                    .containsOnly("committed");

            long diedNs = System.nanoTime();
            program.client().die();
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() -> broker.openTransactions().isEmpty());
            long endedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - diedNs);
            long afterBytes = usedHeapBytes() - beforeBytes;
            LOG.info(
                    "{} open: {} bytes of heap each, a commit of others takes {} us instead of {}; all ended after {} ms, {} bytes are left",
                    MANY,
                    openBytes / MANY,
                    TimeUnit.NANOSECONDS.toMicros(amongNs),
                    TimeUnit.NANOSECONDS.toMicros(aloneNs),
                    endedMs,
                    afterBytes);

            assertThat(broker.knownTransactions())
                    .as("with the names of the other")
                    .isLessThan(10);
            assertThat(openBytes / MANY).as("bytes for each, with its record").isLessThan(8_000);
            assertThat(amongNs).isLessThan(10 * aloneNs + TimeUnit.MILLISECONDS.toNanos(20));
            other.client().close();
        }
    }

    @Test
    void shouldRefuseTransactionsBeyondTheLimitUntilOthersEnd() {
        try (TestBroker broker = TestBroker.start(
                "session.grace.ms", "100", "transaction.max.open", "10", "transaction.state.log.num.partitions", "1")) {
            RawTransactions program = new RawTransactions(RawClient.inSession(broker.port()));
            DestinationDescribed queue = program.client().describe(DestinationKind.QUEUE, "orders");
            TransactionIdentity own = program.open();
            for (int i = 0; i < 9; i++) {
                suspended(program, branch(i), queue);
            }
            RawTransactions late = new RawTransactions(RawClient.inSession(broker.port()));

            Failure refused = late.client().failure(corr -> late.start(corr, branch(10), 1_000));
            assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
            assertThat(refused.message()).contains("transaction.max.open");
            assertThat(late.client()
                            .failure(corr -> new OpenTransactions(corr, 1, 2))
                            .code())
                    .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
            RawClient.join(program.send(queue, own, "goes on"));
            assertThat(RawClient.join(program.end(own, true))).isInstanceOf(TransactionEnded.class);

            program.client().die();
            await().until(() -> late.client().request(AnswerFrame.class, corr -> new OpenTransactions(corr, 1, 8))
                    instanceof TransactionsOpened);
            late.client().close();
        }
    }

    @Test
    void shouldNotKeepPlacesForSessionsThatAreLostAfterTheirCommits() {
        try (TestBroker broker = TestBroker.start(
                "session.grace.ms", "50", "transaction.max.open", "10", "transaction.state.log.num.partitions", "1")) {
            for (int i = 0; i < 15; i++) {
                RawTransactions program = new RawTransactions(RawClient.inSession(broker.port()));
                DestinationDescribed queue = program.client().describe(DestinationKind.QUEUE, "orders");
                await().until(() ->
                        program.client().request(AnswerFrame.class, corr -> new OpenTransactions(corr, 1, 2))
                                instanceof TransactionsOpened);
                TransactionIdentity identity = program.open();
                RawClient.join(program.send(queue, identity, "committed"));
                assertThat(RawClient.join(program.end(identity, true))).isInstanceOf(TransactionEnded.class);
                program.client().die();
            }
            // Outcomes are kept for as many as there may be open ones, and the others are forgotten.
            await().untilAsserted(() -> assertThat(broker.knownTransactions()).isLessThanOrEqualTo(10));
        }
    }

    @Test
    void shouldNotTakeABranchOfASessionForItsTransactions() {
        try (TestBroker broker = TestBroker.start()) {
            RawTransactions program = new RawTransactions(RawClient.inSession(broker.port()));
            DestinationDescribed queue = program.client().describe(DestinationKind.QUEUE, "orders");
            TransactionIdentity of = program.begin(branch(1), 60_000);
            RawTransactions stranger = new RawTransactions(RawClient.inSession(broker.port()));

            assertThat(RawClient.join(stranger.send(queue, of, "stolen")))
                    .isInstanceOfSatisfying(
                            Failure.class, why -> assertThat(why.code()).isEqualTo(ErrorCode.TRANSACTION_ROLLED_BACK));
            assertThat(RawClient.join(stranger.end(of, true)))
                    .isInstanceOfSatisfying(
                            Failure.class, why -> assertThat(why.code()).isEqualTo(ErrorCode.TRANSACTION_ROLLED_BACK));
            assertThat(program.client()
                            .failure(corr -> new StartBranch(corr, 1, branch(2), BranchStart.NEW, 0))
                            .code())
                    .isEqualTo(ErrorCode.TRANSACTION_STATE);
            assertThat(RawClient.join(program.send(queue, of, "own"))).isInstanceOf(SendOk.class);
        }
    }
}
