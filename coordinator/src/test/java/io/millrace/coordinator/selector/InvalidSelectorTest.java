package io.millrace.coordinator.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no selector, what the error says, and what selectors may cost. */
class InvalidSelectorTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a = | column 4: found the end, expected a value or a property or '('",
                "a = ) | column 5: found ), expected a value or a property or '('",
                "=TRUE | column 1: found =, expected a value or a property or '('",
                "a = 5 b = 4 | column 7: found b, expected an operator or the end",
                "(a = 5 | column 7: found the end, expected an operator or ')'",
                "a = 5) | column 6: found ), expected an operator or the end",
                "a = 'x | column 5: found 'x, expected a string that ends with a quote",
                "a IS 5 | column 6: found 5, expected NOT or NULL",
                "a NOT 5 | column 7: found 5, expected BETWEEN or LIKE or IN",
                "a IN () | column 7: found ), expected a string",
                "a IN ('x' | column 10: found the end, expected , or ')'",
                "a IN (5) | column 7: found 5, expected a string",
                "a LIKE b | column 8: found b, expected a string",
                "a LIKE 'x' ESCAPE 'yy' | column 19: found 'yy', expected a string of one character",
                "a LIKE 'x!' ESCAPE '!' | column 8: found 'x!', expected a character behind the last escape character",
                "a BETWEEN 1 OR 2 | column 13: found OR, expected AND",
                "3 + 5 | column 1: found a number, expected a condition",
                "TRUE AND 3 + 5 | column 10: found a number, expected a condition",
                "NOT 'x' | column 5: found a string, expected a condition",
                "'x' | column 1: found a string, expected a condition",
                "a + 'x' = 1 | column 5: found a string, expected a number",
                "-TRUE = 1 | column 2: found a condition, expected a number",
                "a > 'x' | column 5: found a string, expected a number",
                "a > TRUE | column 5: found a condition, expected a number",
                "a BETWEEN 'x' AND 'y' | column 11: found a string, expected a number",
                "'x' LIKE 'x' | column 1: found a string, expected the name of a property or header field",
                "5 IS NULL | column 1: found a number, expected the name of a property or header field",
                "JMSPriority LIKE 'x' | column 1: found a number, expected a string",
                "a = 12abc | column 5: found 12abc, expected a number as Java writes it",
                "a = 1.2.3 | column 5: found 1.2.3, expected a number as Java writes it",
                "a = 08 | column 5: found 08, expected a number as Java writes it",
                "a = 1_ | column 5: found 1_, expected a number as Java writes it",
                "a = 0x_1 | column 5: found 0x_1, expected a number as Java writes it",
                "a = 9223372036854775808 | column 5: found 9223372036854775808, expected an integer within the 64 bits of a long",
                "a = 1E400 | column 5: found 1E400, expected a number within the range of a double",
                "a # 1 | column 3: found '#', expected a value or an operator",
                "a == 1 | column 4: found =, expected a value or a property or '('",
                "a != 1 | column 3: found '!', expected a value or an operator",
                "a = \u20ac\u2028 | column 5: found \u20ac\u2028, expected a name that is a Java identifier",
                "a = NULL | column 5: found NULL, expected a value or a property or '('",
                "like = 1 | column 1: found like, expected a value or a property or '('"
            })
    void shouldSayWhereAndWhy(String selector, String message) {
        assertThatThrownBy(() -> Selector.parse(selector))
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JMSReplyTo",
                "JMSDestination",
                "JMSExpiration",
                "JMSRedelivered",
                "JMSDeliveryTime",
                "JMSPriorit",
                "JMS"
            })
    void shouldRefuseOtherHeaderFields(String field) {
        assertThatThrownBy(() -> Selector.parse("a = 1 AND " + field + " IS NULL"))
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessageStartingWith("column 11: found " + field + ", expected JMSDeliveryMode, JMSPriority,");
    }

    @Test
    void shouldTakeChainsAsLongAsASelectorMayBe() {
        assertSelectsAll("a=1 OR ".repeat(1_150) + "a=2", 2);
        assertSelectsAll("a>1 AND ".repeat(1_000) + "a=2", 2);
        assertSelectsAll("NOT ".repeat(2_000) + "a=2", 2);
        assertSelectsAll("a" + "+1".repeat(4_000) + "=4002", 2);
        assertSelectsAll("a = " + "-+".repeat(4_000) + "2", 2);
        assertSelectsAll("a = " + "1*".repeat(4_000) + "2", 2);
        assertSelectsAll("(a=2) OR ".repeat(900) + "a=2", 2);
    }

    private static void assertSelectsAll(String selector, int a) {
        assertThat(selector.length()).isLessThanOrEqualTo(Selector.MAX_LENGTH);
        assertThat(Selector.parse(selector).selects(new FakeMessage().with("a", a)))
                .isTrue();
    }

    @Test
    void shouldTakeParenthesesUpToTheLimit() {
        String deepest = "(".repeat(64) + "a = 1" + ")".repeat(64);

        assertThat(Selector.parse(deepest).selects(new FakeMessage().with("a", 1)))
                .isTrue();
        assertThatThrownBy(() -> Selector.parse("(" + deepest + ")"))
                .hasMessage("column 65: found one more '(', expected at most 64 open parentheses");
        assertThatThrownBy(() -> Selector.parse("(".repeat(8_000))).hasMessageStartingWith("column 65: ");
    }

    @Test
    void shouldRefuseWhatIsTooLongWithoutReadingIt() {
        String tooLong = "a = '" + "x".repeat(Selector.MAX_LENGTH) + "'";

        assertThatThrownBy(() -> Selector.parse(tooLong))
                .isInstanceOf(InvalidSelectorException.class)
                .hasMessageContaining("expected a selector of at most 8192 characters")
                .satisfies(thrown -> assertThat(thrown.getMessage()).hasSizeLessThan(200));
    }

    @Test
    void shouldMatchHostilePatternsInTimeThatGrowsWithTheProductOfTheLengths() {
        Selector selector = Selector.parse("a LIKE '" + "%x".repeat(2_000) + "%y'");
        FakeMessage hostile = new FakeMessage().with("a", "x".repeat(20_000));

        // With backtracking this would take longer than the test may.
        assertThat(selector.selects(hostile)).isFalse();
    }
}
