package io.millrace.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.history.Operation.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HistoryCheckerTest {
    private final FakeTimeSource time = new FakeTimeSource();
    private final History history = new History(time);
    private final HistoryChecker checker = new HistoryChecker().exclusive("orders", "orders");

    @BeforeEach
    void sendThree() {
        for (int i = 1; i <= 3; i++) {
            sent("m" + i, i, Outcome.CONFIRMED);
        }
    }

    private void sent(String id, long sequence, Outcome outcome) {
        time.advanceMs(1);
        history.sent("orders", id, "p", sequence, outcome);
    }

    private void received(String id, int count) {
        time.advanceMs(1);
        history.received("orders", id, count > 1, count);
    }

    private void acknowledged(String id, Outcome outcome) {
        time.advanceMs(1);
        history.acknowledged("orders", id, outcome);
    }

    private Verdict verdict() {
        return checker.check(history.operations());
    }

    private void receiveAll() {
        for (int i = 1; i <= 3; i++) {
            received("m" + i, 1);
            acknowledged("m" + i, Outcome.CONFIRMED);
        }
    }

    @Test
    void shouldAcceptACleanHistory() {
        receiveAll();

        assertThat(verdict().anomalies()).isEmpty();
        assertThat(verdict().confirmedSends()).isEqualTo(3);
        assertThat(verdict().received()).isEqualTo(3);
    }

    @Test
    void shouldAcceptMarkedRedeliveryOfWhatWasNotConfirmed() {
        received("m1", 1);
        received("m2", 1);
        acknowledged("m2", Outcome.UNKNOWN);
        received("m1", 2);
        received("m2", 2);
        received("m3", 1);

        assertThat(verdict().anomalies()).isEmpty();
        assertThat(verdict().counts().redeliveries()).isEqualTo(2);
    }

    @Test
    void shouldAcceptASendOfUnknownOutcomeBothWays() {
        sent("m4", 4, Outcome.UNKNOWN);
        sent("m5", 5, Outcome.UNKNOWN);
        receiveAll();
        received("m5", 1);

        assertThat(verdict().anomalies()).isEmpty();
        assertThat(verdict().counts().unknownSends()).isEqualTo(2);
        assertThat(verdict().counts().unknownButThere()).isEqualTo(1);
    }

    @Test
    void shouldFindALostMessage() {
        received("m1", 1);
        received("m3", 1);

        assertThat(verdict().anomalies()).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.LOST);
        assertThat(verdict().toString()).contains("INVALID").contains("m2");
    }

    @Test
    void shouldFindWhatNobodySentAndWhatWasRefused() {
        sent("m4", 4, Outcome.REFUSED);
        receiveAll();
        received("m4", 1);
        received("m99", 1);

        assertThat(verdict().anomalies())
                .extracting(Anomaly::kind)
                .containsExactly(Anomaly.Kind.PHANTOM, Anomaly.Kind.PHANTOM);
    }

    @Test
    void shouldFindADeliveryAfterAConfirmedAcknowledgement() {
        receiveAll();
        received("m2", 2);

        assertThat(verdict().anomalies())
                .extracting(Anomaly::kind)
                .containsExactly(Anomaly.Kind.RECEIVED_AFTER_ACKNOWLEDGEMENT);
    }

    @Test
    void shouldFindAnUnmarkedRedelivery() {
        received("m1", 1);
        received("m1", 1);
        received("m2", 1);
        received("m3", 1);

        assertThat(verdict().anomalies()).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.UNMARKED_REDELIVERY);
    }

    @Test
    void shouldFindWrongOrderOnlyWhereOrderIsPromised() {
        received("m2", 1);
        received("m1", 1);
        received("m3", 1);

        assertThat(verdict().anomalies()).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.OUT_OF_ORDER);
        assertThat(new HistoryChecker()
                        .shared("orders", "orders")
                        .check(history.operations())
                        .anomalies())
                .isEmpty();
    }

    @Test
    void shouldTakeTheLaterNoteOfASend() {
        sent("m4", 4, Outcome.UNKNOWN);
        sent("m4", 4, Outcome.CONFIRMED);
        receiveAll();

        assertThat(verdict().anomalies()).extracting(Anomaly::kind).containsExactly(Anomaly.Kind.LOST);
        assertThat(verdict().counts().unknownSends()).isZero();
    }

    @Test
    void shouldAcceptTheLossOfWhatWasNeverPromised() {
        sent("m4", 4, Outcome.UNPROMISED);
        sent("m5", 5, Outcome.UNPROMISED);
        receiveAll();
        received("m5", 1);

        assertThat(verdict().anomalies()).isEmpty();
        assertThat(verdict().counts().unpromisedSends()).isEqualTo(2);
        assertThat(verdict().counts().unpromisedLost()).isEqualTo(1);
    }

    @Test
    void shouldSortByTimeWhatOtherProcessesTellLater() {
        receiveAll();
        long early = history.operations().getFirst().timeNs();
        history.add(new Operation.Received("elsewhere", "m1", false, 1, early - 1));

        assertThat(history.operations().getFirst()).isInstanceOf(Operation.Received.class);
    }
}
