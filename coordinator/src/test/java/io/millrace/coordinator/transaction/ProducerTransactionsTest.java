package io.millrace.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.transaction.ProducerTransactions.Added;
import io.millrace.coordinator.transaction.SimulatedParticipant.Fate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka's producers, as KIP-98, KIP-360 and KIP-890 have it. */
class ProducerTransactionsTest {

    private static final String ID = "transfers";
    private static final int BUMPING = 2;

    private final CoordinatorFixture fixture = new CoordinatorFixture();

    private ProducerTransactions producers() {
        return fixture.coordinator.producers();
    }

    private ProducerIdentity init() {
        return fixture.answer(producers().init(ID, 10_000, Optional.empty(), CoordinatorFixture.USER));
    }

    private int write(ProducerIdentity identity, int protocol) {
        fixture.answer(producers().add(ID, identity, List.of(fixture.orders.name), protocol));
        return fixture.write(fixture.orders, identity);
    }

    private ProducerIdentity end(ProducerIdentity identity, boolean commit, int protocol) {
        return fixture.answer(producers().end(ID, identity, commit, protocol));
    }

    private Fate fate(int operation) {
        return fixture.orders.fates().getOrDefault(operation, Fate.ABORTED);
    }

    private void refused(Supplier<CompletionStage<?>> call, TransactionError error) {
        assertThatThrownBy(() -> fixture.answer(call.get()))
                .isInstanceOfSatisfying(
                        TransactionException.class,
                        why -> assertThat(why.error()).isEqualTo(error));
    }

    private ProducerIdentity initOf(String id) {
        return fixture.answer(producers().init(id, 10_000, Optional.empty(), CoordinatorFixture.USER));
    }

    @Test
    void shouldForgetTheIdThatWasUnusedForLongestWhenThereAreTooMany() {
        for (int i = 0; i < 10; i++) {
            initOf("id-" + i);
            fixture.pass(500);
        }
        initOf("id-0");
        fixture.pass(500);
        initOf("id-10");

        assertThat(fixture.coordinator.list()).hasSize(10);
        assertThat(fixture.coordinator.find("id-0")).isPresent();
        assertThat(fixture.coordinator.find("id-1")).isEmpty();
        fixture.restart();
        assertThat(fixture.coordinator.find("id-1")).isEmpty();
        assertThat(fixture.coordinator.list()).hasSize(10);
    }

    @Test
    void shouldRefuseAnIdWhenAllOthersAreInTheMiddleOfSomethingAndLeaveSessionsAlone() {
        for (int i = 0; i < 10; i++) {
            ProducerIdentity identity = initOf("id-" + i);
            fixture.answer(producers().add("id-" + i, identity, List.of(fixture.orders.name), BUMPING));
        }
        refused(
                () -> producers().init("id-10", 10_000, Optional.empty(), CoordinatorFixture.USER),
                TransactionError.TOO_MANY);
        fixture.answer(fixture.coordinator.sessions().open("jms:1:0", CoordinatorFixture.USER));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, BUMPING})
    void shouldCommitAndAbort(int protocol) {
        ProducerIdentity identity = init();
        int committed = write(identity, protocol);
        ProducerIdentity second = end(identity, true, protocol);
        int aborted = write(second, protocol);
        ProducerIdentity third = end(second, false, protocol);

        assertThat(fate(committed)).isEqualTo(Fate.COMMITTED);
        assertThat(fate(aborted)).isEqualTo(Fate.ABORTED);
        assertThat(third.epoch() - identity.epoch()).isEqualTo(protocol == BUMPING ? 2 : 0);
    }

    /** Older producers add partitions before they know whether they will write to them. */
    @Test
    void shouldCommitThoughNothingWasWrittenToSomeParticipant() {
        ProducerIdentity identity = init();
        fixture.answer(producers().add(ID, identity, List.of(fixture.orders.name, fixture.invoices.name), 0));
        fixture.answer(producers().verify(ID, identity, fixture.orders.name));
        int written = fixture.write(fixture.orders, identity);
        // It has nothing to make durable, so that nobody asks it.
        fixture.unreachable.add(fixture.invoices.name);

        end(identity, true, 0);

        assertThat(fate(written)).isEqualTo(Fate.COMMITTED);
    }

    @Test
    void shouldNotCommitWithoutAParticipantThatWasWrittenTo() {
        ProducerIdentity identity = init();
        fixture.answer(producers().add(ID, identity, List.of(fixture.orders.name, fixture.invoices.name), 0));
        fixture.answer(producers().verify(ID, identity, fixture.invoices.name));
        fixture.unreachable.add(fixture.invoices.name);

        refused(() -> producers().end(ID, identity, true, 0), TransactionError.ROLLED_BACK);
    }

    /** A request may come twice, by another connection, before the log is synced. */
    @Test
    void shouldConfirmNoParticipantBeforeItIsDurable() {
        ProducerIdentity identity = init();
        var _ = producers().add(ID, identity, List.of(fixture.orders.name), BUMPING);

        Added again = producers()
                .add(ID, identity, List.of(fixture.orders.name), BUMPING)
                .toCompletableFuture()
                .join();

        assertThat(again.durable().toCompletableFuture()).isNotDone();
        fixture.run();
        assertThat(again.durable().toCompletableFuture()).isCompleted();
    }

    @Test
    void shouldFenceTheProducerBeforeANewOne() {
        ProducerIdentity old = init();
        int open = write(old, BUMPING);

        ProducerIdentity young = init();

        assertThat(young.epoch()).isGreaterThan(old.epoch());
        assertThat(fate(open)).isEqualTo(Fate.ABORTED);
        refused(() -> producers().end(ID, old, true, BUMPING), TransactionError.FENCED);
        refused(() -> producers().add(ID, old, List.of(fixture.orders.name), BUMPING), TransactionError.FENCED);
        refused(() -> producers().init(ID, 10_000, Optional.of(old), CoordinatorFixture.USER), TransactionError.FENCED);
    }

    @Test
    void shouldAnswerARepeatedEndWithTheSame() {
        ProducerIdentity identity = init();
        write(identity, BUMPING);
        ProducerIdentity next = end(identity, true, BUMPING);

        assertThat(end(identity, true, BUMPING)).isEqualTo(next);
        refused(() -> producers().end(ID, identity, false, BUMPING), TransactionError.FENCED);
    }

    @Test
    void shouldRefuseToCommitWhatNeverBegan() {
        ProducerIdentity identity = init();
        refused(() -> producers().end(ID, identity, true, BUMPING), TransactionError.INVALID_STATE);
        refused(() -> producers().end(ID, identity, true, 1), TransactionError.INVALID_STATE);
        refused(() -> producers().end(ID, identity, false, 1), TransactionError.INVALID_STATE);
        assertThat(end(identity, false, BUMPING).epoch()).isGreaterThan(identity.epoch());
    }

    @Test
    void shouldNotKnowOtherIdsAndProducers() {
        ProducerIdentity identity = init();
        refused(() -> producers().end("other", identity, true, BUMPING), TransactionError.UNKNOWN);
        ProducerIdentity other = new ProducerIdentity(identity.id() + 1, identity.epoch());
        refused(() -> producers().end(ID, other, true, BUMPING), TransactionError.UNKNOWN);
    }

    @Test
    void shouldAbortAndFenceWhatTakesTooLong() {
        ProducerIdentity identity = init();
        int open = write(identity, BUMPING);

        fixture.pass(12_000);

        assertThat(fate(open)).isEqualTo(Fate.ABORTED);
        refused(() -> producers().end(ID, identity, true, BUMPING), TransactionError.FENCED);
        refused(() -> producers().end(ID, identity, false, BUMPING), TransactionError.FENCED);
    }

    @Test
    void shouldGoOnAfterARestart() {
        ProducerIdentity identity = init();
        int open = write(identity, BUMPING);

        fixture.restart();

        assertThat(fixture.coordinator.knows(identity)).isTrue();
        fixture.answer(producers().verify(ID, identity, fixture.orders.name));
        refused(() -> producers().verify(ID, identity, fixture.invoices.name), TransactionError.INVALID_STATE);
        end(identity, true, BUMPING);
        assertThat(fate(open)).isEqualTo(Fate.COMMITTED);
    }

    @Test
    void shouldTakeANewIdWhenEpochsAreUsedUp() {
        ProducerIdentity identity = init();
        while (!identity.isExhausted()) {
            identity = end(identity, false, BUMPING);
        }
        int last = write(identity, BUMPING);

        ProducerIdentity next = end(identity, true, BUMPING);

        assertThat(next.id()).isNotEqualTo(identity.id());
        assertThat(next.epoch()).isZero();
        assertThat(fate(last)).isEqualTo(Fate.COMMITTED);
        int first = write(next, BUMPING);
        end(next, true, BUMPING);
        assertThat(fate(first)).isEqualTo(Fate.COMMITTED);
    }

    private ProducerIdentity initExhausted() {
        ProducerIdentity identity = init();
        while (!identity.isExhausted()) {
            identity = end(identity, false, BUMPING);
        }
        return identity;
    }

    private CompletionStage<ProducerIdentity> beginInit() {
        CompletionStage<ProducerIdentity> init =
                producers().init(ID, 10_000, Optional.empty(), CoordinatorFixture.USER);
        fixture.run();
        return init;
    }

    @Test
    void shouldRollBackWhatWouldBeginWhileANewIdIsFetched() {
        ProducerIdentity old = initExhausted();
        fixture.idsGiven = new CompletableFuture<>();
        CompletionStage<ProducerIdentity> init = beginInit();

        CompletionStage<?> late = producers().add(ID, old, List.of(fixture.orders.name), BUMPING);
        assertThat(fixture.isAnswered(late)).isFalse();
        fixture.idsGiven.complete(null);

        refused(() -> late, TransactionError.UNKNOWN);
        assertThat(fixture.answer(init).id()).isNotEqualTo(old.id());
    }

    @Test
    void shouldTakeTurnsWhenSeveralBeginWhileANewIdIsFetched() {
        initExhausted();
        fixture.idsGiven = new CompletableFuture<>();
        CompletionStage<ProducerIdentity> first = beginInit();
        CompletionStage<ProducerIdentity> second = beginInit();

        fixture.idsGiven.complete(null);

        assertThat(fixture.answer(second)).isEqualTo(fixture.answer(first).bumped());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, BUMPING})
    void shouldNotRollBackWhatEndsWhileANewIdIsFetchedToFenceIt(int protocol) {
        ProducerIdentity old = initExhausted();
        int open = write(old, protocol);
        fixture.idsGiven = new CompletableFuture<>();
        CompletionStage<ProducerIdentity> init = beginInit();

        CompletionStage<ProducerIdentity> late = producers().end(ID, old, true, protocol);
        assertThat(fixture.isAnswered(late)).isFalse();
        fixture.idsGiven.complete(null);

        refused(() -> late, TransactionError.UNKNOWN);
        ProducerIdentity now = fixture.answer(init);
        assertThat(fate(open)).isEqualTo(Fate.ABORTED);
        int next = write(now, protocol);
        end(now, true, protocol);
        assertThat(fate(next)).isEqualTo(Fate.COMMITTED);
    }

    @Test
    void shouldFenceOnceWhatTakesTooLongWhileANewIdIsFetched() {
        ProducerIdentity old = initExhausted();
        int open = write(old, BUMPING);
        fixture.idsGiven = new CompletableFuture<>();
        fixture.pass(20_000);

        fixture.idsGiven.complete(null);
        fixture.run();

        assertThat(fate(open)).isEqualTo(Fate.ABORTED);
        ProducerIdentity now = fixture.coordinator.find(ID).orElseThrow().current();
        assertThat(now.id()).isNotEqualTo(old.id());
        assertThat(now.epoch()).isZero();
    }

    @Test
    void shouldForgetIdsThatNobodyUses() {
        init();
        fixture.pass(2 * 3_600_000);
        assertThat(fixture.coordinator.list()).isEmpty();
        fixture.restart();
        assertThat(fixture.coordinator.list()).isEmpty();
    }

    @Test
    void shouldRefuseTimeoutsThatAreTooLong() {
        refused(
                () -> producers()
                        .init(ID, CoordinatorFixture.MAX_TIMEOUT_MS + 1, Optional.empty(), CoordinatorFixture.USER),
                TransactionError.INVALID_TIMEOUT);
        refused(
                () -> producers().init(ID, 0, Optional.empty(), CoordinatorFixture.USER),
                TransactionError.INVALID_TIMEOUT);
    }

    @Test
    void shouldLetTheNextTransactionWaitUntilTheLastIsOver() {
        ProducerIdentity identity = init();
        write(identity, BUMPING);
        fixture.unreachable.add(fixture.orders.name);
        CompletionStage<ProducerIdentity> commit = producers().end(ID, identity, false, BUMPING);
        fixture.run();
        CompletionStage<?> add = producers().add(ID, identity.bumped(), List.of(fixture.invoices.name), BUMPING);
        assertThat(fixture.isAnswered(add)).isFalse();

        fixture.unreachable.clear();
        fixture.pass(1_000);

        assertThat(fixture.answer(commit)).isEqualTo(identity.bumped());
        assertThat(fixture.isAnswered(add)).isTrue();
    }

    /** It would have the same epoch, and a restart that finds the last one decided would take what is open for that. */
    @Test
    void shouldNotBeginTheNextTransactionWhileAFullDiskKeepsTheLogFromKnowingThatTheLastIsOver() {
        ProducerIdentity identity = init();
        int written = write(identity, 1);
        fixture.unreachable.add(fixture.orders.name);
        CompletionStage<ProducerIdentity> ended = producers().end(ID, identity, true, 1);
        fixture.run();
        fixture.diskFull = true;
        fixture.unreachable.clear();
        fixture.pass(1_000);
        assertThat(fate(written)).isEqualTo(Fate.COMMITTED);
        assertThat(fixture.isAnswered(ended)).isTrue();

        var next = producers().add(ID, identity, List.of(fixture.orders.name), BUMPING);
        fixture.pass(10_000);
        assertThat(fixture.isAnswered(next)).as("begun").isFalse();
        fixture.diskFull = false;
        fixture.pass(5_500);

        assertThat(fixture.isAnswered(next)).as("begun").isTrue();
        int open = fixture.write(fixture.orders, identity);
        fixture.answer(fixture.orders.durable());
        fixture.restart();
        assertThat(fate(open)).isEqualTo(Fate.OPEN);
    }

    @Test
    void shouldBeginTheNextTransactionBeforeTheEndOfTheLastIsDurable() {
        ProducerIdentity first = init();
        int before = write(first, BUMPING);
        fixture.answer(fixture.orders.durable());
        fixture.orders.hold();

        ProducerIdentity second = end(first, true, BUMPING);
        int after = write(second, BUMPING);
        CompletionStage<ProducerIdentity> commit = producers().end(ID, second, true, BUMPING);

        assertThat(fate(before)).isEqualTo(Fate.COMMITTED);
        assertThat(fixture.isAnswered(commit)).isFalse();
        fixture.orders.release();
        assertThat(fixture.answer(commit)).isEqualTo(second.bumped());
        assertThat(fate(after)).isEqualTo(Fate.COMMITTED);
    }

    /** If a partition heard of the next transaction first, it would roll back the one before: nobody ends that any more, it would think. */
    @Test
    void shouldAfterACrashTellOfTheEndBeforeTheNextTransactionGoesOn() {
        ProducerIdentity first = init();
        int committed = write(first, BUMPING);
        fixture.answer(fixture.orders.durable());
        fixture.orders.hold();
        ProducerIdentity second = end(first, true, BUMPING);
        fixture.answer(producers().add(ID, second, List.of(fixture.invoices.name), BUMPING));
        fixture.unreachable.add(fixture.orders.name);

        fixture.restart();

        assertThat(fate(committed)).isEqualTo(Fate.OPEN);
        assertThat(fixture.coordinator.knows(first)).isTrue();
        assertThat(fixture.coordinator.knows(second)).isTrue();
        CompletionStage<Added> add = producers().add(ID, second, List.of(fixture.orders.name), BUMPING);
        assertThat(fixture.isAnswered(add)).isFalse();
        fixture.unreachable.clear();
        fixture.pass(1_000);
        assertThat(fixture.isAnswered(add)).isTrue();
        assertThat(fate(committed)).isEqualTo(Fate.COMMITTED);
        assertThat(fixture.coordinator.knows(first)).isFalse();
        int next = write(second, BUMPING);
        end(second, true, BUMPING);
        assertThat(fate(next)).isEqualTo(Fate.COMMITTED);
    }
}
