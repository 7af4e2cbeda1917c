package io.millrace.coordinator.selector;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.coordinator.selector.NaiveSelector.Node;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Selectors of any form select what {@link NaiveSelector} does, which is written straight from the specification's tables. */
class SelectorPropertyTest {

    private static final List<String> NAMES = List.of("a", "b", "c", "missing");

    @Property(tries = 3_000)
    void shouldSelectWhatTheNaiveEvaluatorSelects(
            @ForAll("conditions") Node condition, @ForAll("messages") Map<String, Object> properties) {
        FakeMessage message = new FakeMessage();
        properties.forEach(message::with);
        String text = condition.text();

        assertThat(Selector.parse(text).selects(message))
                .as("%s for %s", text, properties)
                .isEqualTo(NaiveSelector.isTrue(condition, properties));
    }

    @Property(tries = 3_000)
    void shouldMatchPatternsAsARegularExpressionDoes(
            @ForAll("patternTexts") String pattern, @ForAll("patternTexts") String text) {
        boolean expected = text.matches("(?s)" + pattern.replace("%", ".*").replace("_", "."));

        assertThat(LikePattern.of(pattern, -1).matches(text))
                .as("'%s' LIKE '%s'", text, pattern)
                .isEqualTo(expected);
    }

    @Provide
    Arbitrary<String> patternTexts() {
        return Arbitraries.strings().withChars('x', 'y', '%', '_').ofMaxLength(9);
    }

    @Provide
    Arbitrary<Map<String, Object>> messages() {
        Arbitrary<Object> values = Arbitraries.of(
                0, 1, 2, -3, 5L, (byte) 1, (short) 2, 1.5d, 2f, "x", "xy", "", true, false, Long.MAX_VALUE);
        return Arbitraries.maps(Arbitraries.of("a", "b", "c"), values).ofMaxSize(3);
    }

    @Provide
    Arbitrary<Node> conditions() {
        return conditionsOf(4);
    }

    private static Arbitrary<Node> conditionsOf(int depth) {
        Arbitrary<Node> numbers = numbersOf(2);
        Arbitrary<String> names = Arbitraries.of(NAMES);
        Arbitrary<String> strings = Arbitraries.of("x", "xy", "", "it's", "1");
        Arbitrary<Node> anything = Arbitraries.oneOf(numbers, strings.map(NaiveSelector.Text::new), truths());
        Arbitrary<Node> leaves = Arbitraries.oneOf(
                truths(),
                names.map(NaiveSelector.Name::new),
                Combinators.combine(anything, Arbitraries.of("=", "<>"), anything)
                        .as(NaiveSelector.Compare::new),
                Combinators.combine(numbers, Arbitraries.of("<", "<=", ">", ">="), numbers)
                        .as(NaiveSelector.Compare::new),
                Combinators.combine(numbers, numbers, numbers, Arbitraries.of(true, false))
                        .as(NaiveSelector.Range::new),
                Combinators.combine(names, strings.list().ofMinSize(1).ofMaxSize(3), Arbitraries.of(true, false))
                        .as(NaiveSelector.OneOf::new),
                Combinators.combine(names, Arbitraries.of("x%", "_", "%y", "", "%"), Arbitraries.of(true, false))
                        .as(NaiveSelector.Pattern::new),
                Combinators.combine(names, Arbitraries.of(true, false)).as(NaiveSelector.Absent::new));
        if (depth == 0) {
            return leaves;
        }
        Arbitrary<Node> inner = conditionsOf(depth - 1);
        return Arbitraries.oneOf(
                leaves,
                inner.map(NaiveSelector.Negation::new),
                Combinators.combine(
                                Arbitraries.of("AND", "OR"),
                                inner.list().ofMinSize(2).ofMaxSize(4))
                        .as(NaiveSelector.Junction::new));
    }

    private static Arbitrary<Node> truths() {
        return Arbitraries.of(true, false).map(NaiveSelector.Truth::new);
    }

    private static Arbitrary<Node> numbersOf(int depth) {
        Arbitrary<Node> leaves = Arbitraries.oneOf(
                Arbitraries.<Object>of(0L, 1L, 2L, 3L, 1.5d, 0.5d, Long.MAX_VALUE)
                        .map(NaiveSelector.Numeral::new),
                Arbitraries.of(NAMES).map(NaiveSelector.Name::new));
        if (depth == 0) {
            return leaves;
        }
        Arbitrary<Node> inner = numbersOf(depth - 1);
        return Arbitraries.oneOf(
                leaves,
                inner.map(NaiveSelector.Minus::new),
                Combinators.combine(inner, Arbitraries.of("+", "-", "*", "/"), inner)
                        .as(NaiveSelector.Compute::new));
    }
}
