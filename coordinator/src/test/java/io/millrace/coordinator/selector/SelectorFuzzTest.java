package io.millrace.coordinator.selector;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Whatever is given for a selector: it is refused, with a place in it, or it answers for any message, twice the same. */
class SelectorFuzzTest {

    private static final FakeMessage MESSAGE = new FakeMessage()
            .with("a", 1)
            .with("b", 2.5d)
            .with("c", "text")
            .with("d", true)
            .type("t");

    @FuzzTest
    void selector(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        Selector selector;
        try {
            selector = Selector.parse(text);
        } catch (InvalidSelectorException refused) {
            assertThat(refused.column()).isBetween(1, Math.min(text.length(), Selector.MAX_LENGTH) + 1);
            return;
        }
        assertThat(selector.selects(MESSAGE)).isEqualTo(Selector.parse(text).selects(MESSAGE));
        if (text.length() + 8 <= Selector.MAX_LENGTH) {
            assertThat(Selector.parse("NOT NOT " + text).selects(MESSAGE)).isEqualTo(selector.selects(MESSAGE));
        }
    }
}
