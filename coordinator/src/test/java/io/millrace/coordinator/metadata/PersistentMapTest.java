package io.millrace.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldBehaveAsASortedMap(long seed) {
        Random random = new Random(seed);
        TreeMap<Integer, String> expected = new TreeMap<>();
        PersistentMap<Integer, String> map = PersistentMap.empty();

        for (int step = 0; step < 5_000; step++) {
            int key = random.nextInt(600);
            if (random.nextInt(5) < 3) {
                map = map.with(key, "v" + step);
                expected.put(key, "v" + step);
            } else {
                map = map.without(key);
                expected.remove(key);
            }

            assertThat(map.get(key)).isEqualTo(java.util.Optional.ofNullable(expected.get(key)));
            assertThat(map.size()).isEqualTo(expected.size());
            if (step % 100 == 0) {
                assertThat(map).containsExactlyElementsOf(expected.values());
                assertThat(map.isSound(Comparator.naturalOrder())).isTrue();
            }
        }
        assertThat(map).containsExactlyElementsOf(expected.values());
        List<String> visited = new ArrayList<>();
        map.forEach(visited::add);
        assertThat(visited).containsExactlyElementsOf(expected.values());
    }

    @Test
    void shouldLeaveTheOriginalAlone() {
        PersistentMap<String, Integer> before =
                PersistentMap.<String, Integer>empty().with("a", 1).with("b", 2);

        PersistentMap<String, Integer> after = before.with("a", 10).with("c", 3).without("b");

        assertThat(before).containsExactly(1, 2);
        assertThat(after).containsExactly(10, 3);
    }

    @Test
    void shouldStayBalancedWhenKeysComeInOrder() {
        PersistentMap<Integer, Integer> map = PersistentMap.empty();

        for (int i = 0; i < 10_000; i++) {
            map = map.with(i, i);
        }

        assertThat(map.isSound(Comparator.naturalOrder())).isTrue();
        assertThat(map.firstKey()).contains(0);
        for (int i = 0; i < 9_999; i++) {
            map = map.without(i);
        }
        assertThat(map).containsExactly(9_999);
    }

    @Test
    void shouldReturnItselfWhenThereIsNothingToRemove() {
        PersistentMap<String, Integer> map =
                PersistentMap.<String, Integer>empty().with("a", 1);

        assertThat(map.without("b")).isSameAs(map);
        assertThat(map.without("a").isEmpty()).isTrue();
        assertThat(map.without("a").firstKey()).isEmpty();
    }
}
