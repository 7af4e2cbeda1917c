package io.millrace.systemtests.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.verify.Fare.Sample;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FareTest {
    private static final int USUAL = 1_000;

    private final List<Sample> samples = new ArrayList<>(List.of(new Sample(0, 0)));

    /** Two samples a second. */
    private void work(int seconds, int perSecond) {
        for (int i = 0; i < 2 * seconds; i++) {
            Sample last = samples.getLast();
            samples.add(new Sample(last.atNs() + 500_000_000, last.operations() + perSecond / 2));
        }
    }

    @Test
    void shouldBeGoodWhenTheWorkGoesOn() {
        work(20, USUAL);

        Fare fare = Fare.of(USUAL, samples, 100);

        assertThat(fare.worstPerSecond()).isEqualTo(USUAL);
        assertThat(fare.isGood()).isTrue();
    }

    @Test
    void shouldBearAMomentWithoutWork() {
        work(10, USUAL);
        work(2, 0);
        work(10, USUAL);

        assertThat(Fare.of(USUAL, samples, 100).isGood()).isTrue();
    }

    @Test
    void shouldBeBadWhenTheWorkCollapsesForSomeSeconds() {
        work(10, USUAL);
        work(5, USUAL / 4);
        work(10, USUAL);

        Fare fare = Fare.of(USUAL, samples, 100);

        assertThat(fare.worstPerSecond()).isEqualTo(USUAL / 4.0);
        assertThat(fare.isGood()).isFalse();
    }

    @Test
    void shouldTakeAllSamplesWhenTheyAreFew() {
        work(2, 100);

        assertThat(Fare.of(USUAL, samples, 100).isGood()).isFalse();
    }

    @Test
    void shouldBeBadWhenARequestTakesTooLong() {
        work(20, USUAL);

        assertThat(Fare.of(USUAL, samples, 10_001).isGood()).isFalse();
    }
}
