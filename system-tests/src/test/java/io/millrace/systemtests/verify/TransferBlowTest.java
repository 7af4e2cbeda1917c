package io.millrace.systemtests.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.verify.TransferBlow.AtRandom;
import io.millrace.systemtests.verify.TransferBlow.OfBroker;
import io.millrace.systemtests.verify.TransferBlow.OfProgram;
import io.millrace.systemtests.verify.TransferBlow.Victim;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class TransferBlowTest {

    private static List<TransferBlow> cycle(TransferMode mode) {
        return TransferBlow.cycle(mode, new SplittableRandom(7));
    }

    @Test
    void shouldComeToEachPointOnce() {
        assertThat(cycle(TransferMode.XA))
                .filteredOn(OfProgram.class::isInstance)
                .doesNotHaveDuplicates()
                .extracting(blow -> ((OfProgram) blow).point())
                .containsExactlyInAnyOrderElementsOf(CrashPoint.all());
        for (TransferMode mode : List.of(TransferMode.XA, TransferMode.JMS)) {
            assertThat(cycle(mode))
                    .filteredOn(OfBroker.class::isInstance)
                    .extracting(blow -> ((OfBroker) blow).point())
                    .containsExactlyInAnyOrderElementsOf(FramePoint.all(mode));
        }
    }

    @Test
    void shouldHurtEachAlreadyInAShortRun() {
        assertThat(cycle(TransferMode.XA).subList(0, 10))
                .hasAtLeastOneElementOfType(OfBroker.class)
                .hasAtLeastOneElementOfType(OfProgram.class)
                .extracting(TransferBlow::victim)
                .contains(Victim.values());
    }

    @Test
    void shouldNotTouchADatabaseThatIsNotThere() {
        assertThat(cycle(TransferMode.KAFKA))
                .hasOnlyElementsOfType(AtRandom.class)
                .extracting(TransferBlow::victim)
                .containsOnly(Victim.BROKER, Victim.PROGRAM);
    }

    @Test
    void shouldReadTheLineOfAPoint() {
        assertThat(CrashPoint.all())
                .allSatisfy(
                        point -> assertThat(CrashPoint.parse(point.toLine())).isEqualTo(point));
    }
}
