package io.millrace.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.transaction.SimulatedParticipant.Fate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator does to transactions, and what their owners hear of it. */
class OperatorTransactionsTest {

    private static final String USER = CoordinatorFixture.USER;
    private static final UUID SESSION = new UUID(0, 1);
    private static final Xid XID = Xid.of(131_077, new byte[] {1}, new byte[] {2});
    private static final String BRANCH = "xa:131077:01:02";

    private final CoordinatorFixture fixture = new CoordinatorFixture();

    private OperatorTransactions operator() {
        return fixture.coordinator.operators();
    }

    private BranchTransactions branches() {
        return fixture.coordinator.branches();
    }

    private int worked() {
        ProducerIdentity identity = fixture.answer(branches().start(XID, SESSION, USER, 0));
        fixture.answer(branches().add(XID, identity, List.of(fixture.orders.name, fixture.invoices.name)));
        int operation = fixture.write(fixture.orders, identity);
        fixture.write(fixture.invoices, identity);
        return operation;
    }

    private int prepared() {
        int operation = worked();
        fixture.answer(branches().leave(XID, SESSION, USER, true));
        fixture.answer(branches().prepare(XID, USER));
        return operation;
    }

    private Fate fate(int operation) {
        return fixture.orders.fates().getOrDefault(operation, Fate.ABORTED);
    }

    private void refused(Supplier<CompletionStage<?>> call, TransactionError error, String... words) {
        assertThatThrownBy(() -> fixture.answer(call.get())).isInstanceOfSatisfying(TransactionException.class, why -> {
            assertThat(why.error()).isEqualTo(error);
            for (String word : words) {
                assertThat(why).hasMessageContaining(word);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDecideAPreparedBranchAndTellItsTransactionManager(boolean commit) {
        int operation = prepared();
        TransactionError heuristic = commit ? TransactionError.HEURISTIC_COMMIT : TransactionError.HEURISTIC_ROLLBACK;

        fixture.answer(commit ? operator().commit(BRANCH) : operator().rollback(BRANCH));

        assertThat(fate(operation)).isEqualTo(commit ? Fate.COMMITTED : Fate.ABORTED);
        for (int starts = 0; starts < 2; starts++) {
            assertThat(branches().recover(USER)).containsExactly(XID);
            refused(() -> branches().commit(XID, USER, false), heuristic);
            refused(() -> branches().rollback(XID, USER), heuristic);
            refused(() -> operator().commit(BRANCH), heuristic, BRANCH, "by an operator", "until it is forgotten");
            refused(() -> operator().rollback(BRANCH), heuristic);
            fixture.restart();
        }

        fixture.answer(operator().forget(BRANCH));
        assertThat(branches().recover(USER)).isEmpty();
        refused(() -> branches().commit(XID, USER, false), TransactionError.UNKNOWN);
        refused(() -> operator().forget(BRANCH), TransactionError.UNKNOWN);
        fixture.restart();
        assertThat(fixture.coordinator.list()).isEmpty();
        assertThat(fate(operation)).isEqualTo(commit ? Fate.COMMITTED : Fate.ABORTED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLeaveABranchToItsTransactionManagerIfTheDecisionCannotBeWritten(boolean commit) {
        int operation = prepared();
        fixture.diskFull = true;
        refused(() -> commit ? operator().commit(BRANCH) : operator().rollback(BRANCH), TransactionError.NOT_AVAILABLE);
        fixture.diskFull = false;

        assertThat(fixture.coordinator.find(BRANCH).orElseThrow().state()).isEqualTo(TransactionState.PREPARED);
        fixture.answer(branches().commit(XID, USER, false));
        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);
        assertThat(branches().recover(USER)).isEmpty();
    }

    @Test
    void shouldKnowWhatCouldNotBeForgotten() {
        prepared();
        fixture.answer(operator().commit(BRANCH));
        fixture.diskFull = true;
        refused(() -> branches().forget(XID, USER), TransactionError.NOT_AVAILABLE);
        fixture.diskFull = false;
        fixture.answer(branches().forget(XID, USER));
        assertThat(fixture.coordinator.list()).isEmpty();
    }

    @Test
    void shouldRefuseToCommitWhatIsNotPrepared() {
        int operation = worked();
        refused(
                () -> operator().commit(BRANCH),
                TransactionError.INVALID_STATE,
                "is ongoing",
                "only a prepared branch");
        refused(() -> operator().forget(BRANCH), TransactionError.INVALID_STATE, "is ongoing");
        assertThat(fate(operation)).isEqualTo(Fate.OPEN);
        fixture.answer(branches().leave(XID, SESSION, USER, true));
        fixture.answer(branches().prepare(XID, USER));
        refused(() -> operator().forget(BRANCH), TransactionError.INVALID_STATE, "commit it or roll it back first");
    }

    /** What it wrote may be lost: nobody but a transaction manager that was told otherwise can know. */
    @Test
    void shouldNotCommitWhatMayNotBeWhole() {
        ProducerIdentity identity = fixture.answer(branches().start(XID, SESSION, USER, 0));
        fixture.answer(branches().add(XID, identity, List.of(fixture.orders.name)));
        fixture.orders.hold();
        fixture.write(fixture.orders, identity);
        fixture.answer(branches().leave(XID, SESSION, USER, true));
        var _ = branches().prepare(XID, USER);
        fixture.restart();

        refused(
                () -> operator().commit(BRANCH),
                TransactionError.INVALID_STATE,
                "may be missing",
                "roll the branch back");
        fixture.answer(operator().rollback(BRANCH));

        assertThat(branches().recover(USER)).containsExactly(XID);
        refused(() -> branches().rollback(XID, USER), TransactionError.HEURISTIC_ROLLBACK);
    }

    @Test
    void shouldCommitWhatWasPreparedBeforeARestart() {
        int operation = prepared();
        fixture.restart();
        fixture.answer(operator().commit(BRANCH));
        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nothing", "xa:131077:01:03", "xa:", "jms:1:0"})
    void shouldNotKnowOthers(String id) {
        prepared();
        refused(() -> operator().commit(id), TransactionError.UNKNOWN, "there is no transaction " + id);
        refused(() -> operator().rollback(id), TransactionError.UNKNOWN);
        refused(() -> operator().forget(id), TransactionError.UNKNOWN);
    }

    @Test
    void shouldRollBackABranchThatIsWorkedOn() {
        int operation = worked();
        assertThat(branches().sessions(XID)).containsExactly(SESSION);
        fixture.answer(operator().rollback(BRANCH));

        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
        refused(() -> branches().leave(XID, SESSION, USER, true), TransactionError.ROLLED_BACK, "operator");
        refused(() -> branches().prepare(XID, USER), TransactionError.ROLLED_BACK, "operator");
        fixture.answer(branches().rollback(XID, USER));
        assertThat(branches().recover(USER)).isEmpty();
    }

    @Test
    void shouldRollBackTheTransactionOfASession() {
        SessionTransactions sessions = fixture.coordinator.sessions();
        ProducerIdentity identity = fixture.answer(sessions.open("jms:s:0", USER));
        refused(() -> operator().rollback("jms:s:0"), TransactionError.INVALID_STATE, "has nothing open");
        fixture.answer(sessions.add("jms:s:0", identity, List.of(fixture.orders.name)));
        int operation = fixture.write(fixture.orders, identity);
        refused(() -> operator().commit("jms:s:0"), TransactionError.INVALID_STATE, "only a prepared branch");

        fixture.answer(operator().rollback("jms:s:0"));

        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
        refused(() -> sessions.end("jms:s:0", identity, true), TransactionError.ROLLED_BACK);
        refused(() -> operator().rollback("jms:s:0"), TransactionError.INVALID_STATE, "it was rolled back");
        refused(() -> operator().forget("jms:s:0"), TransactionError.INVALID_STATE, "not decided by an operator");
    }

    @Test
    void shouldFenceAProducerWhoseTransactionHangs() {
        ProducerTransactions producers = fixture.coordinator.producers();
        ProducerIdentity identity = fixture.answer(producers.init("pay", 1_000, Optional.empty(), USER));
        fixture.answer(producers.add("pay", identity, List.of(fixture.orders.name), 2));
        int operation = fixture.write(fixture.orders, identity);

        fixture.answer(operator().rollback("pay"));

        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
        refused(() -> producers.end("pay", identity, true, 2), TransactionError.FENCED);
    }

    @Test
    void shouldAnswerAtOnceAboutWhatIsDecidedAndNotTold() {
        prepared();
        fixture.unreachable.add(fixture.invoices.name);
        fixture.answer(operator().rollback(BRANCH));

        refused(() -> operator().commit(BRANCH), TransactionError.HEURISTIC_ROLLBACK);
        assertThat(branches().recover(USER)).containsExactly(XID);
        fixture.restart();
        assertThat(branches().recover(USER)).containsExactly(XID);
        CompletionStage<Void> forgotten = operator().forget(BRANCH);
        assertThat(fixture.isAnswered(forgotten)).isFalse();
        fixture.unreachable.clear();
        fixture.pass(10_000);

        assertThat(fixture.invoices.fates().values()).doesNotContain(Fate.OPEN, Fate.COMMITTED);
        fixture.answer(forgotten);
        assertThat(branches().recover(USER)).isEmpty();
    }

    /** What is prepared is durable, wherever it is. */
    @Test
    void shouldCommitThoughAPartitionCannotBeReachedNow() {
        int operation = prepared();
        fixture.restart();
        fixture.unreachable.add(fixture.invoices.name);
        fixture.answer(operator().commit(BRANCH));
        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);
        assertThat(fixture.invoices.fates()).containsValue(Fate.OPEN);

        fixture.unreachable.clear();
        fixture.pass(1_000);
        assertThat(fixture.invoices.fates().values()).containsOnly(Fate.COMMITTED);
    }

    @Test
    void shouldLeaveTheIdsOfBranchesToThem() {
        prepared();
        ProducerTransactions producers = fixture.coordinator.producers();
        refused(
                () -> producers.init(BRANCH, 1_000, Optional.empty(), USER),
                TransactionError.INVALID_STATE,
                "use another");
        refused(() -> producers.init("xa:1:0a:", 1_000, Optional.empty(), USER), TransactionError.INVALID_STATE);
        fixture.answer(producers.init("xa:mine", 1_000, Optional.empty(), USER));
        assertThat(branches().recover(USER)).containsExactly(XID);
    }

    @Test
    void shouldTellOnceOfABranchThatNobodyDecides() {
        prepared();
        fixture.pass(59_000);
        assertThat(fixture.told).isEmpty();
        fixture.pass(300_000);
        assertThat(fixture.told).containsExactly("in doubt " + BRANCH + " since 61 s");

        fixture.unreachable.add(fixture.orders.name);
        fixture.answer(branches().commit(XID, USER, false));
        fixture.pass(5_000);
        assertThat(fixture.told).hasSize(1);
        fixture.unreachable.clear();
        fixture.pass(10_000);

        assertThat(fixture.told).hasSize(2).last().asString().startsWith("over " + BRANCH + " after 3");
        fixture.pass(300_000);
        assertThat(fixture.told).hasSize(2);
    }

    @Test
    void shouldTellOnceMoreAfterARestartAndNotOfTheNextBranchOfTheName() {
        prepared();
        fixture.restart();
        fixture.pass(59_000);
        assertThat(fixture.told).isEmpty();
        fixture.pass(5_000);
        assertThat(fixture.told).hasSize(1);
        fixture.answer(operator().rollback(BRANCH));
        fixture.pass(2_000);
        assertThat(fixture.told).hasSize(2).last().asString().startsWith("over ");

        fixture.answer(branches().forget(XID, USER));
        prepared();
        fixture.answer(branches().commit(XID, USER, false));
        fixture.pass(120_000);
        assertThat(fixture.told).hasSize(2);
    }
}
