package io.millrace.jms.internal.context;

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
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checked exceptions of the classic API as the unchecked ones of the simplified API (Jakarta Messaging 10.3). */
final class Unchecked {
    /** Exceptions without a row, such as MessageEOFException, have no unchecked counterpart but JMSRuntimeException. */
    private static final List<Row> TABLE = List.of(
            new Row(IllegalStateException.class, IllegalStateRuntimeException::new),
            new Row(InvalidClientIDException.class, InvalidClientIDRuntimeException::new),
            new Row(InvalidDestinationException.class, InvalidDestinationRuntimeException::new),
            new Row(InvalidSelectorException.class, InvalidSelectorRuntimeException::new),
            new Row(JMSSecurityException.class, JMSSecurityRuntimeException::new),
            new Row(MessageFormatException.class, MessageFormatRuntimeException::new),
            new Row(MessageNotWriteableException.class, MessageNotWriteableRuntimeException::new),
            new Row(ResourceAllocationException.class, ResourceAllocationRuntimeException::new),
            new Row(TransactionInProgressException.class, TransactionInProgressRuntimeException::new),
            new Row(TransactionRolledBackException.class, TransactionRolledBackRuntimeException::new));

    private Unchecked() {}

    /** Calls, and throws what the call throws as an unchecked exception. */
    static <T extends @Nullable Object> T call(JmsCall<T> call) {
        try {
            return call.call();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    /** Runs, and throws what the action throws as an unchecked exception. */
    static void run(JmsAction action) {
        try {
            action.run();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    /** Returns the counterpart, with message and error code of the exception, which becomes its cause. */
    static JMSRuntimeException of(JMSException checked) {
        for (Row row : TABLE) {
            if (row.checked.isInstance(checked)) {
                return row.unchecked.create(checked.getMessage(), checked.getErrorCode(), checked);
            }
        }
        return new JMSRuntimeException(checked.getMessage(), checked.getErrorCode(), checked);
    }

    private record Row(Class<? extends JMSException> checked, Constructor unchecked) {}

    @FunctionalInterface
    private interface Constructor {
        JMSRuntimeException create(@Nullable String message, @Nullable String errorCode, JMSException cause);
    }
}
