package io.millrace.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.coordinator.transaction.SimulatedParticipant.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Transacted JMS sessions. */
class SessionTransactionsTest {

    private static final String ID = "jms:1:0";

    private final CoordinatorFixture fixture = new CoordinatorFixture();

    private SessionTransactions sessions() {
        return fixture.coordinator.sessions();
    }

    private ProducerIdentity open() {
        return fixture.answer(sessions().open(ID, CoordinatorFixture.USER));
    }

    private int write(ProducerIdentity identity) {
        fixture.answer(sessions().add(ID, identity, List.of(fixture.orders.name, fixture.invoices.name)));
        fixture.write(fixture.invoices, identity);
        return fixture.write(fixture.orders, identity);
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
    void shouldDoOneTransactionAfterTheOther() {
        ProducerIdentity first = open();
        int committed = write(first);
        ProducerIdentity second = fixture.answer(sessions().end(ID, first, true));
        int aborted = write(second);
        ProducerIdentity third = fixture.answer(sessions().end(ID, second, false));

        assertThat(fate(committed)).isEqualTo(Fate.COMMITTED);
        assertThat(fate(aborted)).isEqualTo(Fate.ABORTED);
        assertThat(List.of(first.epoch(), second.epoch(), third.epoch())).doesNotHaveDuplicates();
        // Nothing was done: nothing is decided, and nothing used up.
        assertThat(fixture.answer(sessions().end(ID, third, true))).isEqualTo(third);
    }

    @Test
    void shouldSayAgainHowATransactionEnded() {
        ProducerIdentity first = open();
        write(first);
        ProducerIdentity second = fixture.answer(sessions().end(ID, first, true));
        assertThat(fixture.answer(sessions().end(ID, first, true))).isEqualTo(second);

        write(second);
        fixture.answer(sessions().end(ID, second, false));
        refused(() -> sessions().end(ID, second, true), TransactionError.ROLLED_BACK);
    }

    @Test
    void shouldKnowAfterARestartWhatWasCommitted() {
        ProducerIdentity first = open();
        int committed = write(first);
        fixture.answer(sessions().end(ID, first, true));

        fixture.restart();

        fixture.answer(sessions().end(ID, first, true));
        assertThat(fate(committed)).isEqualTo(Fate.COMMITTED);
    }

    @Test
    void shouldSettleWhatASessionLeftBehind() {
        ProducerIdentity first = open();
        int committed = write(first);
        ProducerIdentity second = fixture.answer(sessions().end(ID, first, true));
        assertThat(fixture.answer(sessions().settle(ID, first))).isEqualTo(second);

        int open = write(second);
        refused(() -> sessions().settle(ID, second), TransactionError.ROLLED_BACK);
        refused(() -> sessions().settle(ID, second), TransactionError.ROLLED_BACK);
        refused(() -> sessions().end(ID, second, true), TransactionError.ROLLED_BACK);

        assertThat(fate(committed)).isEqualTo(Fate.COMMITTED);
        assertThat(fate(open)).isEqualTo(Fate.ABORTED);
    }

    @Test
    void shouldSettleAfterARestart() {
        ProducerIdentity first = open();
        write(first);
        ProducerIdentity second = fixture.answer(sessions().end(ID, first, true));
        int open = write(second);

        fixture.restart();

        refused(() -> sessions().settle(ID, second), TransactionError.ROLLED_BACK);
        fixture.answer(sessions().settle(ID, first));
        assertThat(fate(open)).isNotEqualTo(Fate.COMMITTED);
        assertThat(fixture.coordinator.knows(second))
                .as("what is left of it is rolled back by the partition")
                .isFalse();
    }

    @Test
    void shouldStillKnowWhatAnAbandonedSessionCommitted() {
        ProducerIdentity first = open();
        write(first);
        ProducerIdentity second = fixture.answer(sessions().end(ID, first, true));

        fixture.answer(sessions().abandon(ID));

        assertThat(fixture.answer(sessions().settle(ID, first))).isEqualTo(second);
    }

    @Test
    void shouldRollBackWhatAnAbandonedSessionHasOpen() {
        ProducerIdentity first = open();
        write(first);
        ProducerIdentity second = fixture.answer(sessions().end(ID, first, true));
        int open = write(second);

        fixture.answer(sessions().abandon(ID));

        refused(() -> sessions().settle(ID, second), TransactionError.ROLLED_BACK);
        assertThat(fate(open)).isEqualTo(Fate.ABORTED);
    }

    @Test
    void shouldForgetAnAbandonedSessionThatCommittedNothing() {
        ProducerIdentity first = open();
        int open = write(first);

        fixture.answer(sessions().abandon(ID));

        assertThat(fixture.coordinator.find(ID)).isEmpty();
        assertThat(fate(open)).isEqualTo(Fate.ABORTED);
    }

    @Test
    void shouldHaveRolledBackByARestartWhatWasOpen() {
        ProducerIdentity first = open();
        write(first);

        fixture.restart();

        assertThat(fixture.coordinator.knows(first)).isFalse();
        refused(() -> sessions().end(ID, first, true), TransactionError.ROLLED_BACK);
    }

    @Test
    void shouldRollBackWhatIsOpenWhenItCloses() {
        int operation = write(open());
        fixture.answer(sessions().close(ID));
        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
        assertThat(fixture.coordinator.list()).isEmpty();
        fixture.answer(sessions().close(ID));
    }

    @Test
    void shouldGiveIdentitiesThatAreFreeToOthers() {
        ProducerIdentity first = open();
        int operation = write(first);
        fixture.answer(sessions().end(ID, first, true));
        fixture.answer(sessions().close(ID));

        ProducerIdentity other = fixture.answer(sessions().open("jms:2:0", CoordinatorFixture.USER));

        assertThat(other.id()).isEqualTo(first.id());
        assertThat(other.epoch()).isGreaterThan(first.epoch());
        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);
    }

    @Test
    void shouldRollBackWhatCannotBeSecured() {
        ProducerIdentity first = open();
        int operation = write(first);
        fixture.unreachable.add(fixture.invoices.name);
        CompletionStage<ProducerIdentity> commit = sessions().end(ID, first, true);
        fixture.run();
        fixture.unreachable.clear();
        fixture.pass(1_000);

        refused(() -> commit, TransactionError.ROLLED_BACK);
        assertThat(fate(operation)).isEqualTo(Fate.ABORTED);
        fixture.answer(sessions().add(ID, first.bumped(), List.of(fixture.orders.name)));
    }

    private String openedNamed(String name) {
        fixture.answer(sessions().open(name, CoordinatorFixture.USER));
        return name;
    }

    private ProducerIdentity committed(String name) {
        ProducerIdentity first = fixture.answer(sessions().open(name, CoordinatorFixture.USER));
        fixture.answer(sessions().add(name, first, List.of(fixture.orders.name)));
        fixture.write(fixture.orders, first);
        fixture.answer(sessions().end(name, first, true));
        return first;
    }

    @Test
    void shouldNotCountSessionsThatNeverReturnAgainstThoseThatAreOpen() {
        for (int i = 0; i < 30; i++) {
            String name = "jms:lost-" + i + ":0";
            committed(name);
            fixture.answer(sessions().abandon(name));
        }
        fixture.restart();
        for (int i = 0; i < 10; i++) {
            openedNamed("jms:" + i + ":0");
        }
        refused(() -> sessions().open("jms:10:0", CoordinatorFixture.USER), TransactionError.TOO_MANY);
    }

    @Test
    void shouldRememberAsManyLostSessionsAsThereMayBeAndSayWhenItForgot() {
        ProducerIdentity oldest = committed("jms:oldest:0");
        fixture.answer(sessions().abandon("jms:oldest:0"));
        List<ProducerIdentity> identities = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            identities.add(committed("jms:lost-" + i + ":0"));
            fixture.answer(sessions().abandon("jms:lost-" + i + ":0"));
        }
        fixture.pass(2_000);

        refused(() -> sessions().settle("jms:oldest:0", oldest), TransactionError.IN_DOUBT);
        for (int i = 0; i < 10; i++) {
            fixture.answer(sessions().settle("jms:lost-" + i + ":0", identities.get(i)));
        }
        fixture.restart();
        assertThat(fixture.coordinator.find("jms:oldest:0")).isEmpty();
        assertThat(fixture.coordinator.list()).hasSize(10);
        refused(() -> sessions().settle("jms:oldest:0", oldest), TransactionError.IN_DOUBT);
    }

    @Test
    void shouldSayAfterARestartThatWhatIsNotKnownWasRolledBackUnlessSomethingMayBeForgotten() {
        committed("jms:known:0");
        ProducerIdentity open = fixture.answer(sessions().open(ID, CoordinatorFixture.USER));
        fixture.answer(sessions().add(ID, open, List.of(fixture.orders.name)));
        fixture.write(fixture.orders, open);
        fixture.restart();
        refused(() -> sessions().settle(ID, open), TransactionError.ROLLED_BACK);
    }

    @Test
    void shouldNotExpireTheNameOfASessionThatIsThere() {
        committed(ID);
        committed("jms:gone:0");
        fixture.answer(sessions().abandon("jms:gone:0"));
        fixture.pass(2 * 3_600_000);

        assertThat(fixture.coordinator.find(ID)).isPresent();
        assertThat(fixture.coordinator.find("jms:gone:0")).isEmpty();
    }

    @Test
    void shouldStayOpenForAsLongAsItsSession() {
        ProducerIdentity first = open();
        int operation = write(first);
        fixture.pass(10L * CoordinatorFixture.MAX_TIMEOUT_MS);
        fixture.answer(sessions().end(ID, first, true));
        assertThat(fate(operation)).isEqualTo(Fate.COMMITTED);
    }
}
