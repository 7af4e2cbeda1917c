package io.millrace.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.transaction.BranchTransactions.Vote;
import io.millrace.coordinator.transaction.SimulatedParticipant.Fate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Branches as a transaction manager finds them; named by the sections of the XA specification where they have one. */
class BranchTransactionsTest {

    private static final String USER = CoordinatorFixture.USER;
    private static final UUID SESSION = new UUID(0, 1);
    private static final UUID OTHER_SESSION = new UUID(0, 2);
    private static final Xid XID = Xid.of(131_077, new byte[] {1}, new byte[] {2});

    private final CoordinatorFixture fixture = new CoordinatorFixture();

    private BranchTransactions branches() {
        return fixture.coordinator.branches();
    }

    private ProducerIdentity started() {
        return fixture.answer(branches().start(XID, SESSION, USER, 0));
    }

    /** Begins a branch, writes to both partitions, and ends the work. */
    private int worked() {
        ProducerIdentity identity = started();
        fixture.answer(branches().add(XID, identity, List.of(fixture.orders.name, fixture.invoices.name)));
        int operation = fixture.write(fixture.orders, identity);
        fixture.write(fixture.invoices, identity);
        fixture.answer(branches().leave(XID, SESSION, USER, true));
        return operation;
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

    @Test
    void shouldCommitInTwoPhases() {
        int operation = worked();

        assertThat(fixture.answer(branches().prepare(XID, USER))).isEqualTo(Vote.PREPARED);
        assertThat(fate(operation)).isEqualTo(Fate.OPEN);
        assertThat(branches().recover(USER)).containsExactly(XID);
        fixture.answer(branches().commit(XID, USER, false));

        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);
        assertThat(branches().recover(USER)).isEmpty();
        assertThat(fixture.coordinator.list()).isEmpty();
    }

    @Test
    void shouldCommitInOnePhase() {
        int operation = worked();
        fixture.answer(branches().commit(XID, USER, true));
        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);
    }

    @Test
    void shouldRollBackBeforeAndAfterPrepare() {
        int first = worked();
        fixture.answer(branches().rollback(XID, USER));
        assertThat(fate(first)).isEqualTo(Fate.ABORTED);

        int second = worked();
        fixture.answer(branches().prepare(XID, USER));
        fixture.answer(branches().rollback(XID, USER));
        assertThat(fate(second)).isEqualTo(Fate.ABORTED);
        assertThat(fixture.coordinator.list()).isEmpty();
    }

    @Test
    void shouldKeepAPreparedBranchOverARestartAndAnyTime() {
        int operation = worked();
        fixture.answer(branches().prepare(XID, USER));

        fixture.restart();
        fixture.pass(10L * CoordinatorFixture.MAX_TIMEOUT_MS);

        assertThat(branches().recover(USER)).containsExactly(XID);
        assertThat(fate(operation)).isEqualTo(Fate.OPEN);
        fixture.answer(branches().commit(XID, USER, false));
        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);
        fixture.restart();
        assertThat(fixture.coordinator.list()).isEmpty();
    }

    /** Both become durable at the same time, in any order. */
    @Test
    void shouldNotPrepareBeforeWhatTheBranchWroteIsDurable() {
        ProducerIdentity identity = started();
        fixture.answer(branches().add(XID, identity, List.of(fixture.orders.name)));
        fixture.orders.hold();
        int operation = fixture.write(fixture.orders, identity);
        fixture.answer(branches().leave(XID, SESSION, USER, true));

        CompletionStage<Vote> prepare = branches().prepare(XID, USER);
        assertThat(fixture.isAnswered(prepare)).isFalse();
        fixture.restart();

        assertThat(branches().recover(USER)).as("nobody was promised anything").containsExactly(XID);
        assertThat(fate(operation)).as("lost").isEqualTo(Fate.ABORTED);
        fixture.answer(branches().rollback(XID, USER));
        fixture.restart();
        assertThat(fixture.coordinator.list()).isEmpty();
    }

    @Test
    void shouldForgetThatItIsPreparedWhenAPartOfItCannotBeDurable() {
        int operation = worked();
        fixture.unreachable.add(fixture.invoices.name);

        refused(() -> branches().prepare(XID, USER), TransactionError.ROLLED_BACK);
        fixture.unreachable.clear();
        fixture.restart();
        fixture.pass(1_000);

        assertThat(branches().recover(USER)).isEmpty();
        assertThat(fixture.coordinator.list()).isEmpty();
        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
    }

    @Test
    void shouldVoteReadOnlyWithoutAnythingDone() {
        started();
        fixture.answer(branches().leave(XID, SESSION, USER, true));
        assertThat(fixture.answer(branches().prepare(XID, USER))).isEqualTo(Vote.READ_ONLY);
        refused(() -> branches().commit(XID, USER, false), TransactionError.UNKNOWN);
    }

    @Test
    void shouldRefuseWhatIsOutOfOrder() {
        started();
        refused(() -> branches().start(XID, OTHER_SESSION, USER, 0), TransactionError.DUPLICATE);
        refused(() -> branches().join(XID, SESSION, USER), TransactionError.INVALID_STATE);
        refused(() -> branches().resume(XID, SESSION, USER), TransactionError.INVALID_STATE);
        refused(() -> branches().prepare(XID, USER), TransactionError.INVALID_STATE);
        refused(() -> branches().commit(XID, USER, true), TransactionError.INVALID_STATE);
        refused(() -> branches().rollback(XID, USER), TransactionError.INVALID_STATE);
        refused(() -> branches().leave(XID, OTHER_SESSION, USER, true), TransactionError.INVALID_STATE);
        refused(() -> branches().commit(XID, USER, false), TransactionError.INVALID_STATE);
        refused(() -> branches().forget(XID, USER), TransactionError.INVALID_STATE);
    }

    @Test
    void shouldNotKnowOtherBranches() {
        refused(() -> branches().join(XID, SESSION, USER), TransactionError.UNKNOWN);
        refused(() -> branches().prepare(XID, USER), TransactionError.UNKNOWN);
        refused(() -> branches().commit(XID, USER, true), TransactionError.UNKNOWN);
        refused(() -> branches().rollback(XID, USER), TransactionError.UNKNOWN);
        refused(() -> branches().forget(XID, USER), TransactionError.UNKNOWN);
    }

    @Test
    void shouldNotCommitTwice() {
        worked();
        fixture.answer(branches().prepare(XID, USER));
        fixture.answer(branches().commit(XID, USER, false));
        refused(() -> branches().commit(XID, USER, false), TransactionError.UNKNOWN);
    }

    @Test
    void shouldLetNobodyElseDecide() {
        worked();
        fixture.answer(branches().prepare(XID, USER));
        refused(() -> branches().commit(XID, "User:b", false), TransactionError.NOT_OWNER);
        refused(() -> branches().rollback(XID, "User:b"), TransactionError.NOT_OWNER);
        assertThat(branches().recover("User:b")).as("nothing that it could end").isEmpty();
        assertThat(branches().recover(USER)).containsExactly(XID);
        fixture.answer(branches().commit(XID, USER, false));
    }

    @Test
    void shouldBeWorkedOnBySeveralSessions() {
        ProducerIdentity identity = started();
        assertThat(fixture.answer(branches().join(XID, OTHER_SESSION, USER))).isEqualTo(identity);
        fixture.answer(branches().leave(XID, SESSION, USER, true));
        refused(() -> branches().prepare(XID, USER), TransactionError.INVALID_STATE);
        fixture.answer(branches().leave(XID, OTHER_SESSION, USER, true));
        assertThat(fixture.answer(branches().prepare(XID, USER))).isEqualTo(Vote.READ_ONLY);
    }

    @Test
    void shouldBeSuspendedAndResumedOrLeft() {
        ProducerIdentity identity = started();
        fixture.answer(branches().suspend(XID, SESSION, USER));
        refused(() -> branches().prepare(XID, USER), TransactionError.INVALID_STATE);
        assertThat(fixture.answer(branches().resume(XID, SESSION, USER))).isEqualTo(identity);
        fixture.answer(branches().suspend(XID, SESSION, USER));
        fixture.answer(branches().leave(XID, SESSION, USER, true));
        fixture.answer(branches().commit(XID, USER, true));
    }

    @Test
    void shouldOnlyBeRolledBackAfterAFailure() {
        ProducerIdentity identity = started();
        fixture.answer(branches().add(XID, identity, List.of(fixture.orders.name)));
        int operation = fixture.write(fixture.orders, identity);
        fixture.answer(branches().leave(XID, SESSION, USER, false));
        refused(() -> branches().join(XID, SESSION, USER), TransactionError.ROLLED_BACK);
        refused(() -> branches().prepare(XID, USER), TransactionError.ROLLED_BACK);
        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
    }

    @Test
    void shouldTimeOutUnlessPrepared() {
        ProducerIdentity identity = fixture.answer(branches().start(XID, SESSION, USER, 5_000));
        fixture.answer(branches().add(XID, identity, List.of(fixture.orders.name)));
        int operation = fixture.write(fixture.orders, identity);

        fixture.pass(8_000);

        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
        refused(() -> branches().prepare(XID, USER), TransactionError.TIMED_OUT);
        refused(() -> branches().prepare(XID, "User:b"), TransactionError.UNKNOWN);
        refused(() -> branches().rollback(XID, "User:b"), TransactionError.UNKNOWN);
        fixture.answer(branches().rollback(XID, USER));
        refused(() -> branches().rollback(XID, USER), TransactionError.UNKNOWN);
    }

    @Test
    void shouldBeRolledBackWithTheSessionThatWorksOnIt() {
        ProducerIdentity identity = started();
        fixture.answer(branches().add(XID, identity, List.of(fixture.orders.name)));
        int operation = fixture.write(fixture.orders, identity);

        branches().onSessionGone(XID, SESSION);

        refused(() -> branches().commit(XID, USER, true), TransactionError.ROLLED_BACK);
        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
    }

    @Test
    void shouldOutliveTheSessionThatLeftIt() {
        int operation = worked();
        branches().onSessionGone(XID, SESSION);
        fixture.answer(branches().commit(XID, USER, true));
        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);
    }

    @Test
    void shouldRememberWhatAnOperatorDecided() {
        int operation = worked();
        fixture.answer(branches().prepare(XID, USER));
        fixture.answer(branches().decide(XID, true));
        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);

        fixture.restart();

        refused(() -> branches().rollback(XID, USER), TransactionError.HEURISTIC_COMMIT);
        assertThat(branches().recover(USER)).containsExactly(XID);
        fixture.answer(branches().forget(XID, USER));
        assertThat(branches().recover(USER)).isEmpty();
        fixture.restart();
        assertThat(fixture.coordinator.list()).isEmpty();
    }

    @Test
    void shouldRollBackWhatCannotBePrepared() {
        int operation = worked();
        fixture.unreachable.add(fixture.invoices.name);
        CompletionStage<Vote> vote = branches().prepare(XID, USER);
        fixture.run();
        fixture.unreachable.clear();
        fixture.pass(1_000);
        refused(() -> vote, TransactionError.ROLLED_BACK);
        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
    }

    @Test
    void shouldTellEverybodyHoweverLongThatTakes() {
        worked();
        fixture.answer(branches().prepare(XID, USER));
        fixture.unreachable.add(fixture.invoices.name);

        // Answered, since it is decided and whoever can be reached knows.
        fixture.answer(branches().commit(XID, USER, false));
        assertThat(fixture.coordinator.list()).hasSize(1);
        fixture.unreachable.clear();
        fixture.pass(10_000);

        assertThat(fixture.coordinator.list()).isEmpty();
        assertThat(fixture.invoices.fates().values()).containsOnly(Fate.COMMITTED);
    }

    @Test
    void shouldRefuseTheNullXidAndLongOnes() {
        assertThatThrownBy(() -> Xid.of(-1, new byte[1], new byte[1])).hasMessageContaining("null Xid");
        assertThatThrownBy(() -> Xid.of(1, new byte[65], new byte[1])).hasMessageContaining("0 to 64");
        assertThat(Xid.parse(Xid.of(0, new byte[0], new byte[64]).toString()))
                .isEqualTo(Xid.of(0, new byte[0], new byte[64]));
    }

    @Test
    void shouldBoundHowManyAreOpen() {
        for (int i = 0; i < 10; i++) {
            fixture.answer(branches().start(Xid.of(1, new byte[] {(byte) i}, new byte[0]), SESSION, USER, 0));
        }
        refused(() -> branches().start(XID, SESSION, USER, 0), TransactionError.TOO_MANY);
    }
}
