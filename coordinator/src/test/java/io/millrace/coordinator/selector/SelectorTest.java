package io.millrace.coordinator.selector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What selectors select: Jakarta Messaging 3.1, section 3.8.1.1 and 3.8.1.2, clause by clause. */
class SelectorTest {

    private final FakeMessage message = new FakeMessage()
            .with("age", 17)
            .with("weight", 2_500L)
            .with("small", (byte) 3)
            .with("short", (short) 300)
            .with("rate", 1.5d)
            .with("single", 0.25f)
            .with("name", "O'Neill")
            .with("country", "UK")
            .with("underscored", "_foo")
            .with("phone", "12993")
            .with("empty", "")
            .with("yes", true)
            .with("no", false)
            .with("$money_1", 1)
            .with("größe", 42)
            .with("nan", Double.NaN)
            .with("maximum", Long.MAX_VALUE)
            .with("JMSXGroupID", "g1")
            .with("JMSX_any", 7)
            .with("JMS_provider", "p")
            .messageId("ID:1")
            .correlationId("c-1")
            .type("car")
            .timestampMs(1_000)
            .priority(7);

    @ParameterizedTest
    @ValueSource(
            strings = {
                // literals
                "name = 'O''Neill'",
                "empty = ''",
                "age = 17 AND age = +17 AND -17 = -age",
                "age = 0x11 AND age = 0X11 AND age = 021 AND age = 0b1_0001 AND age = 17L AND age = 17l",
                "weight = 2_500",
                "maximum = 9223372036854775807 AND -9223372036854775808 < 0 AND 0xFFFFFFFFFFFFFFFF = -1",
                "rate = 1.5 AND rate = +1.5 AND rate > -95.7 AND rate < 7. AND rate < 57E3 AND rate < 57e+3 AND rate > 1E-3",
                "rate = .15e1 AND rate = 1.5d AND rate = 1.5F AND rate = 0x1.8p0 AND single = 0.25f",
                "yes = TRUE AND no = FALSE AND yes = true AND no = fAlSe",
                "TRUE",
                "yes",
                "NOT no",
                // identifiers are case-sensitive, words of the language are not
                "$money_1 = 1 AND größe = 42",
                "Name IS NULL AND name is not null",
                "age = 17 aNd nOt age = 18 oR FALSE",
                // header fields, and properties that JMS defines
                "JMSDeliveryMode = 'PERSISTENT' AND JMSPriority = 7 AND JMSMessageID = 'ID:1' AND JMSTimestamp = 1000",
                "JMSCorrelationID = 'c-1' AND JMSType = 'car'",
                "JMSXGroupID = 'g1' AND JMSX_any = 7 AND JMS_provider = 'p' AND JMSXGroupSeq IS NULL",
                // white space
                " \t\r\n\f age\n=\t17 ",
                // order of evaluation
                "age = 1 AND age = 2 OR age = 17",
                "age = 17 OR age = 1 AND age = 2",
                "NOT age = 1 AND age = 17",
                "NOT (age = 17 AND age = 1)",
                "age + 2 * 3 = 23 AND (age + 2) * 3 = 57 AND age - 2 - 3 = 12 AND 12 / 2 / 3 = 2",
                "-age + 20 = 3 AND - - age = 17 AND +age = 17 AND -(age + 1) = -18 AND 2 * -3 = -6",
                // comparisons
                "age > 16 AND age >= 17 AND age < 18 AND age <= 17 AND age <> 18",
                "small = 3 AND short = 300 AND small < short",
                "age = 17.0 AND age < 17.5 AND rate > 1 AND 3 / 2 = 1 AND 3 / 2.0 = 1.5",
                "name <> 'x' AND yes <> no AND yes <> FALSE",
                "(age > 1) = TRUE AND (age > 1) <> (age > 100)",
                "nan <> nan AND NOT nan = nan",
                "0.0 = -0.0",
                // BETWEEN, IN, LIKE, IS NULL
                "age BETWEEN 17 AND 19 AND age between 15 and 17 AND age NOT BETWEEN 18 AND 19",
                "age BETWEEN small * 5 AND short AND rate BETWEEN 1 AND 1.5",
                "country IN ('US', 'UK') AND country NOT IN ('France')",
                "phone LIKE '12%3' AND phone LIKE '12__3' AND phone LIKE '1%2%9%3' AND phone LIKE '%'",
                "underscored LIKE '\\_%' ESCAPE '\\' AND underscored LIKE '!_foo' ESCAPE '!'",
                "phone NOT LIKE '13%' AND empty LIKE '' AND empty LIKE '%' AND name LIKE '%''%'",
                "missing IS NULL AND age IS NOT NULL AND empty IS NOT NULL",
                // unknown
                "missing = 1 OR TRUE",
                "NOT (missing = 1 AND FALSE)",
                "(missing > 1 OR age = 17) AND NOT (missing IN ('x') AND no)",
                // different kinds: false, and so is the opposite
                "NOT (name = 1) AND NOT (name <> 1) AND NOT (age = '17') AND NOT (yes = 'TRUE')",
                "NOT (name > 1) AND NOT (name BETWEEN 1 AND 2) AND NOT (name NOT BETWEEN 1 AND 2)",
                "NOT (age LIKE '17') AND NOT (age IN ('17')) AND NOT (JMSDeliveryMode = 2)"
            })
    void shouldSelect(String selector) {
        assertThat(Selector.parse(selector).selects(message)).as(selector).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FALSE",
                "no",
                "age",
                "name",
                "missing",
                "NOT missing",
                "NOT name",
                "Age = 17",
                "age <> 17",
                "jmspriority = 7",
                "JMSDeliveryMode = 'NON_PERSISTENT'",
                "age = 17 AND age = 18",
                "age NOT BETWEEN 17 AND 19",
                "country NOT IN ('US', 'UK')",
                "country LIKE 'u_'",
                "phone LIKE '12_3'",
                "underscored LIKE 'x_fo_' ESCAPE 'o'",
                // of the fullwidth form only the digits are the same
                "phone LIKE '１２993'",
                // unknown
                "missing = missing",
                "missing <> 1",
                "NOT missing = 1",
                "missing BETWEEN 1 AND 2",
                "missing NOT BETWEEN 1 AND 2",
                "missing IN ('x')",
                "missing NOT IN ('x')",
                "missing LIKE '%'",
                "missing NOT LIKE 'x'",
                "missing + 1 = 1 OR missing + 1 <> 1",
                "TRUE AND missing > 1",
                // no result: beyond 64 bits, or divided by zero
                "maximum + 1 > 0 OR maximum + 1 <= 0",
                "maximum * 2 <> 0 OR -maximum - 2 <> 0",
                "age / 0 = 1 OR age / 0 <> 1",
                "-(-9223372036854775807 - 1) <> 0",
                // text is not converted
                "phone > 1",
                "phone = 12993",
                "phone + 1 = 12994 OR phone + 1 <> 12994"
            })
    void shouldNotSelect(String selector) {
        assertThat(Selector.parse(selector).selects(message)).as(selector).isFalse();
    }

    @Test
    void shouldKnowNonPersistentMessages() {
        FakeMessage nonPersistent = new FakeMessage().nonPersistent();

        assertThat(Selector.parse("JMSDeliveryMode = 'NON_PERSISTENT'").selects(nonPersistent))
                .isTrue();
        assertThat(Selector.parse("JMSDeliveryMode = 'PERSISTENT'").selects(nonPersistent))
                .isFalse();
        assertThat(Selector.parse("JMSType IS NULL AND JMSMessageID IS NULL AND JMSCorrelationID IS NULL")
                        .selects(nonPersistent))
                .isTrue();
    }

    @Test
    void shouldDivideApproximateNumbersByZeroAsJavaDoes() {
        assertThat(Selector.parse("rate / 0 > 1E308").selects(message)).isTrue();
    }

    @Test
    void shouldTakeOneCharacterForAnUnderscoreHoweverItIsCoded() {
        FakeMessage faces = new FakeMessage().with("face", "a\uD83D\uDE00b");

        assertThat(Selector.parse("face LIKE 'a_b'").selects(faces)).isTrue();
        assertThat(Selector.parse("face LIKE 'a__b'").selects(faces)).isFalse();
        assertThat(Selector.parse("face LIKE 'a\uD83D\uDE00\uD83D\uDE00b' ESCAPE '\uD83D\uDE00'")
                        .selects(faces))
                .isTrue();
    }

    @Test
    void shouldTakeBlankForNoSelector() {
        assertThat(Selector.parseOptional("")).isEmpty();
        assertThat(Selector.parseOptional(" \t\n")).isEmpty();
        assertThat(Selector.parseOptional("TRUE")).contains(Selector.parse("TRUE"));
    }
}
