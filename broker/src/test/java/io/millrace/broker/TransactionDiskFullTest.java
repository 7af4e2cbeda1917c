package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawProducer;
import io.millrace.broker.client.RawTransactions;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.BranchId;
import io.millrace.wire.frame.CommitBranch;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.PrepareBranch;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.RollbackBranch;
import io.millrace.wire.frame.TransactionEnded;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.name.DestinationKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The disk is full from some step of a transaction on: the client hears so, all of it counts or nothing, and with space everything goes on. */
class TransactionDiskFullTest {

    private static final Set<ErrorCode> CLEAR = Set.of(
            ErrorCode.DISK_FULL,
            // Without a reserve the partition is offline until a restart.
            ErrorCode.STORAGE_UNAVAILABLE,
            ErrorCode.INDETERMINATE,
            ErrorCode.TRANSACTION_ROLLED_BACK,
            ErrorCode.TRANSACTION_NOT_AVAILABLE,
            ErrorCode.TRANSACTION_IN_DOUBT);
    private static final BranchId BRANCH = new BranchId(1, "0a", "0b");

    private final FakeDisk disk = new FakeDisk(new SplittableRandom(7));
    private final Path directory = disk.root().resolve("data");

    enum Step {
        OPEN,
        SEND,
        ACKNOWLEDGE,
        LEAVE,
        PREPARE,
        COMMIT
    }

    private EmbeddedBroker start(long reserveBytes) {
        return EmbeddedBroker.builder()
                .directory(directory)
                .config("session.grace.ms", "100")
                .config("log.segment.bytes", "100000")
                .config("log.reserve.bytes", Long.toString(reserveBytes))
                .start();
    }

    private void restartIf(boolean offline, EmbeddedBroker broker, Consumer<EmbeddedBroker> then) {
        if (!offline) {
            then.accept(broker);
            return;
        }
        broker.close();
        try (EmbeddedBroker restarted = start(0)) {
            then.accept(restarted);
        }
    }

    private void fillIf(Step at, Step now) {
        if (at == now) {
            try {
                disk.capacityBytes(
                        Long.MAX_VALUE - Files.getFileStore(directory).getUsableSpace());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static AnswerFrame answer(CompletableFuture<AnswerFrame> call) {
        AnswerFrame answer = RawClient.join(call);
        if (answer instanceof Failure failure) {
            assertThat(failure.code()).as(failure.toString()).isIn(CLEAR);
        }
        return answer;
    }

    /** Asks until it is known what came of it; there is space by now. */
    private static AnswerFrame outcome(RawClient client, AnswerFrame first, IntFunction<RequestFrame> again) {
        AnswerFrame[] last = {first};
        await().until(() -> {
            boolean open = last[0] instanceof Failure failure
                    && (failure.code() == ErrorCode.TRANSACTION_IN_DOUBT
                            || failure.code() == ErrorCode.TRANSACTION_NOT_AVAILABLE
                            || failure.code() == ErrorCode.DISK_FULL);
            if (open) {
                last[0] = answer(client.start(again));
            }
            return !open;
        });
        return last[0];
    }

    private static boolean refusedAs(AnswerFrame answer, ErrorCode code) {
        return answer instanceof Failure failure && failure.code() == code;
    }

    /** @param committed what the client was told, if it was */
    private void assertAllOrNothing(
            EmbeddedBroker broker, DestinationDescribed in, DestinationDescribed out, Optional<Boolean> committed) {
        RawClient witness = RawClient.inSession(broker.port());
        RawConsumer again = RawConsumer.onQueue(witness, 1, 1, in, 10);
        RawConsumer sent = RawConsumer.onQueue(witness, 1, 2, out, 10);
        Set<String> seen = new HashSet<>();
        await().until(() -> {
            again.pull();
            sent.pull();
            witness.deliveryAtHand()
                    .ifPresent(
                            delivery -> RawConsumer.messagesOf(delivery).forEach(message -> seen.add(message.text())));
            return !seen.isEmpty();
        });
        again.pull();
        sent.pull();
        witness.deliveryAtHand()
                .ifPresent(delivery -> RawConsumer.messagesOf(delivery).forEach(message -> seen.add(message.text())));
        assertThat(seen).hasSize(1);
        committed.ifPresent(known -> assertThat(seen).containsExactly(known ? "sent" : "received"));

        RawTransactions next = new RawTransactions(RawClient.inSession(broker.port()));
        DestinationDescribed later = next.client().describe(DestinationKind.QUEUE, "later");
        // Once the reserve is whole again.
        await().until(() -> {
            TransactionIdentity identity = next.open();
            RawClient.join(next.send(later, identity, "goes on"));
            return RawClient.join(next.end(identity, true)) instanceof TransactionEnded;
        });
        assertThat(RawConsumer.onQueue(next.client(), 1, 1, later, 10).receive(1))
                .extracting(RawConsumer.Message::text)
                .containsExactly("goes on");
        next.client().close();
        witness.close();
    }

    @ParameterizedTest
    @CsvSource({
        "SEND, 100000",
        "ACKNOWLEDGE, 100000",
        "COMMIT, 100000",
        "OPEN, 0",
        "COMMIT, 0",
    })
    void shouldKeepATransactionOfASessionWhole(Step full, long reserveBytes) {
        try (EmbeddedBroker broker = start(reserveBytes)) {
            RawTransactions program = new RawTransactions(RawClient.inSession(broker.port()));
            DestinationDescribed in = program.client().describe(DestinationKind.QUEUE, "in");
            DestinationDescribed out = program.client().describe(DestinationKind.QUEUE, "out");
            new RawProducer(program.client(), 1, in).send("received");
            RawConsumer consumer = RawConsumer.onQueue(program.client(), 1, 1, in, 10);
            RawConsumer.Message message = consumer.receive(1).getFirst();
            program.open();
            fillIf(full, Step.OPEN);
            TransactionIdentity identity = program.open();
            fillIf(full, Step.SEND);
            boolean stored = !(answer(program.send(out, identity, "sent")) instanceof Failure);
            fillIf(full, Step.ACKNOWLEDGE);
            answer(program.acknowledge(consumer, message, identity));
            fillIf(full, Step.COMMIT);
            AnswerFrame first = answer(program.end(identity, true));
            disk.capacityBytes(Long.MAX_VALUE);
            AnswerFrame last = outcome(program.client(), first, corr -> program.endFrame(corr, identity, true));
            assertThat(last instanceof TransactionEnded && !stored)
                    .as("committed without its message")
                    .isFalse();
            program.client().close();
            Optional<Boolean> told = last instanceof TransactionEnded
                    ? Optional.of(true)
                    : refusedAs(last, ErrorCode.TRANSACTION_ROLLED_BACK) ? Optional.of(false) : Optional.empty();
            restartIf(reserveBytes == 0, broker, current -> assertAllOrNothing(current, in, out, told));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SEND, 100000",
        "LEAVE, 100000",
        "PREPARE, 100000",
        "COMMIT, 100000",
        "PREPARE, 0",
        "COMMIT, 0",
    })
    void shouldKeepABranchWhole(Step full, long reserveBytes) {
        try (EmbeddedBroker broker = start(reserveBytes)) {
            RawTransactions program = new RawTransactions(RawClient.inSession(broker.port()));
            DestinationDescribed in = program.client().describe(DestinationKind.QUEUE, "in");
            DestinationDescribed out = program.client().describe(DestinationKind.QUEUE, "out");
            new RawProducer(program.client(), 1, in).send("received");
            RawConsumer consumer = RawConsumer.onQueue(program.client(), 1, 1, in, 10);
            RawConsumer.Message message = consumer.receive(1).getFirst();
            TransactionIdentity identity = program.begin(BRANCH, 60_000);
            fillIf(full, Step.SEND);
            answer(program.send(out, identity, "sent"));
            fillIf(full, Step.ACKNOWLEDGE);
            answer(program.acknowledge(consumer, message, identity));
            fillIf(full, Step.LEAVE);
            boolean left = !(answer(program.leave(BRANCH)) instanceof Failure);
            fillIf(full, Step.PREPARE);
            AnswerFrame prepared = answer(program.client().start(corr -> new PrepareBranch(corr, BRANCH)));
            if (!(prepared instanceof Failure)) {
                assertThat(left).as("prepared only what is whole").isTrue();
                fillIf(full, Step.COMMIT);
                AnswerFrame first = answer(program.client().start(corr -> new CommitBranch(corr, BRANCH, false)));
                disk.capacityBytes(Long.MAX_VALUE);
                AnswerFrame last = outcome(program.client(), first, corr -> new CommitBranch(corr, BRANCH, false));
                program.client().close();
                restartIf(reserveBytes == 0, broker, current -> {
                    if (last instanceof Failure) {
                        RawClient manager = RawClient.inSession(current.port());
                        AnswerFrame answer =
                                RawClient.join(manager.start(corr -> new CommitBranch(corr, BRANCH, false)));
                        assertThat(answer instanceof Done || refusedAs(answer, ErrorCode.BRANCH_NOT_FOUND))
                                .as(answer.toString())
                                .isTrue();
                        manager.close();
                    }
                    assertAllOrNothing(current, in, out, Optional.of(true));
                });
                return;
            }
            disk.capacityBytes(Long.MAX_VALUE);
            program.client().close();
            restartIf(reserveBytes == 0, broker, current -> {
                RawClient manager = RawClient.inSession(current.port());
                await().until(() -> {
                    AnswerFrame ended = RawClient.join(manager.start(corr -> new RollbackBranch(corr, BRANCH)));
                    return ended instanceof Done || refusedAs(ended, ErrorCode.BRANCH_NOT_FOUND);
                });
                manager.close();
                assertAllOrNothing(current, in, out, Optional.of(false));
            });
        }
    }
}
