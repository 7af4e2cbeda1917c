package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuorumSettingsTest {

    @Test
    void shouldTakeOneThreeOrFiveVoters() {
        for (int count : new int[] {1, 3, 5}) {
            assertThat(QuorumSettings.of("c", 1, voters(count)).voters()).hasSize(count);
        }
        for (int count : new int[] {0, 2, 4, 6, 7}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> QuorumSettings.of("c", 1, voters(count)))
                    .withMessageContaining("1, 3 or 5");
        }
    }

    @Test
    void shouldKnowWhoVotes() {
        QuorumSettings observer = QuorumSettings.of("c", 9, voters(3));

        assertThat(observer.isVoter()).isFalse();
        assertThat(observer.isVoter(3)).isTrue();
        assertThat(QuorumSettings.alone("c", 9).isVoter()).isTrue();
    }

    @Test
    void shouldRefuseWhatCannotWork() {
        QuorumVoter one = new QuorumVoter(1, "a", 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> QuorumSettings.of("c", 1, List.of(one, one, one)))
                .withMessageContaining("twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuorumSettings("c", 1, List.of(one), 599, 500, 250))
                .withMessageContaining("600");
        assertThatIllegalArgumentException().isThrownBy(() -> new QuorumSettings("c", 1, List.of(one), 1_000, 0, 250));
        assertThatIllegalArgumentException().isThrownBy(() -> QuorumSettings.alone("c", -1));
        assertThatIllegalArgumentException().isThrownBy(() -> new QuorumVoter(1, "a", 0));
    }

    private static List<QuorumVoter> voters(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(id -> new QuorumVoter(id, "host" + id, 9_000 + id))
                .toList();
    }
}
