package io.millrace.wire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 3.1, section 3.8.1.1: identifiers. */
class PropertyNamesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"a", "_", "$", "a1", "größe", "JMSXGroupID", "JMS_vendor", "jms", "NULLS", "In1", "\uD835\uDC65"
            })
    void shouldAcceptJavaIdentifiers(String name) {
        assertThat(PropertyNames.isValid(name)).isTrue();
        assertThatNoException().isThrownBy(() -> PropertyNames.check(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE", "null", "Between"
            })
    void shouldRefuseWordsOfTheSelectorLanguage(String name) {
        assertThat(PropertyNames.isValid(name)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyNames.check(name))
                .withMessageContaining("'" + name + "'")
                .withMessageContaining("selector");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1a", "a-b", "a b", "a.b", "-", " ", "a\n", "a\uD83D"})
    void shouldRefuseWhatIsNoIdentifier(String name) {
        assertThat(PropertyNames.isValid(name)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyNames.check(name))
                .withMessageContaining("Java identifier");
    }

    @ParameterizedTest
    @ValueSource(strings = "")
    void shouldRefuseTheEmptyName(String name) {
        assertThat(PropertyNames.isValid(name)).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyNames.check(name))
                .withMessageContaining("empty");
    }
}
