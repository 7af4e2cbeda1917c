package io.millrace.jms.internal.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jakarta Messaging 10.3. */
class UncheckedTest {
    static Stream<Arguments> counterparts() {
        return Stream.of(
                arguments(new JMSException("m", "c"), JMSRuntimeException.class),
                arguments(new IllegalStateException("m", "c"), IllegalStateRuntimeException.class),
                arguments(new InvalidClientIDException("m", "c"), InvalidClientIDRuntimeException.class),
                arguments(new InvalidDestinationException("m", "c"), InvalidDestinationRuntimeException.class),
                arguments(new InvalidSelectorException("m", "c"), InvalidSelectorRuntimeException.class),
                arguments(new JMSSecurityException("m", "c"), JMSSecurityRuntimeException.class),
                arguments(new MessageEOFException("m", "c"), JMSRuntimeException.class),
                arguments(new MessageFormatException("m", "c"), MessageFormatRuntimeException.class),
                arguments(new MessageNotReadableException("m", "c"), JMSRuntimeException.class),
                arguments(new MessageNotWriteableException("m", "c"), MessageNotWriteableRuntimeException.class),
                arguments(new ResourceAllocationException("m", "c"), ResourceAllocationRuntimeException.class),
                arguments(new TransactionInProgressException("m", "c"), TransactionInProgressRuntimeException.class),
                arguments(new TransactionRolledBackException("m", "c"), TransactionRolledBackRuntimeException.class),
                arguments(new DestinationGoneException(), InvalidDestinationRuntimeException.class));
    }

    @ParameterizedTest
    @MethodSource("counterparts")
    void shouldThrowTheUncheckedCounterpart(JMSException checked, Class<?> unchecked) {
        assertThatThrownBy(() -> Unchecked.run(() -> {
                    throw checked;
                }))
                .isExactlyInstanceOf(unchecked)
                .hasMessage("m")
                .hasCause(checked)
                .extracting(e -> ((JMSRuntimeException) e).getErrorCode())
                .isEqualTo("c");
    }

    @Test
    void shouldReturnWhatTheCallReturns() {
        assertThat(Unchecked.<String>call(() -> "result")).isEqualTo("result");
    }

    @Test
    void shouldLeaveUncheckedExceptionsAsTheyAre() {
        IllegalArgumentException thrown = new IllegalArgumentException("wrong name");

        assertThatThrownBy(() -> Unchecked.call(() -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
    }

    /** One that only this provider has. */
    private static final class DestinationGoneException extends InvalidDestinationException {
        private static final long serialVersionUID = 1L;

        DestinationGoneException() {
            super("m", "c");
        }
    }
}
