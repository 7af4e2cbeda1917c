package io.millrace.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorCodeTest {

    @ParameterizedTest
    @EnumSource
    void shouldBeFoundByItsNumber(ErrorCode code) {
        assertThat(ErrorCode.fromId(code.id())).contains(code);
        assertThat(code.category()).isNotEqualTo(MillraceException.Category.FATAL);
    }

    @ParameterizedTest
    @ValueSource(shorts = {-1, 45, Short.MAX_VALUE, Short.MIN_VALUE})
    void shouldNotFindOtherNumbers(short id) {
        assertThat(ErrorCode.fromId(id)).isEmpty();
    }
}
