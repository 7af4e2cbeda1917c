package io.millrace.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdTest {
    private static final UUID ID = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");

    @Test
    void shouldShowClientAndCounter() {
        MessageId id = new MessageId.Client(ID, 42);

        assertThat(id.text()).isEqualTo("ID:01234567-89ab-cdef-0123-456789abcdef:42");
        assertThat(MessageId.parse(id.text())).isEqualTo(id);
    }

    @Test
    void shouldShowPositionInTheLog() {
        MessageId id = new MessageId.Position(ID, 5, Long.MAX_VALUE);

        assertThat(id.text()).isEqualTo("ID:01234567-89ab-cdef-0123-456789abcdef/5/9223372036854775807");
        assertThat(MessageId.parse(id.text())).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ID:",
                "ID:x",
                "hello",
                "ID:01234567-89AB-cdef-0123-456789abcdef:42",
                "ID:01234567-89ab-cdef-0123-456789abcdef:042",
                "ID:01234567-89ab-cdef-0123-456789abcdef:+42",
                "ID:01234567-89ab-cdef-0123-456789abcdef:-42",
                "ID:01234567-89ab-cdef-0123-456789abcdef:",
                "ID:01234567-89ab-cdef-0123-456789abcdef:9223372036854775808",
                "ID:01234567-89ab-cdef-0123-456789abcdef/5",
                "ID:01234567-89ab-cdef-0123-456789abcdef/5/6/7",
                "ID:01234567-89ab-cdef-0123-456789abcdef/-5/6",
                "ID:1-2-3-4-5aaaaaaaaaaaaaaaaaaaaaaaaaaa:1"
            })
    void shouldKeepOtherIdsAsTheyAre(String text) {
        assertThat(MessageId.parse(text)).isEqualTo(new MessageId.Text(text));
    }
}
