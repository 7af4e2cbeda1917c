package io.millrace.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.testkit.history.Operation.Acknowledged;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Operation.Received;
import io.millrace.testkit.history.Operation.Sent;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OperationLineTest {
    private static final Operation SENT = new Sent("orders", "m-1", "m", 1, Outcome.UNPROMISED, 5);
    private static final Operation RECEIVED = new Received("durable", "m-1", true, 3, -7);
    private static final Operation ACKNOWLEDGED = new Acknowledged("orders", "m-1", Outcome.UNKNOWN, Long.MAX_VALUE);

    @Test
    void shouldReadEveryOperationBack() {
        for (Operation operation : List.of(SENT, RECEIVED, ACKNOWLEDGED)) {
            assertThat(OperationLine.parse(OperationLine.of(operation))).isEqualTo(operation);
        }
    }

    @Test
    void shouldRefuseALineThatWasCut() {
        String line = OperationLine.of(SENT);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> OperationLine.parse(line.substring(0, line.length() - 2)));
    }

    @Test
    void shouldRefuseNamesThatWouldBeReadAsTwo() {
        Operation blank = new Received("two words", "m-1", false, 1, 1);

        assertThatIllegalArgumentException().isThrownBy(() -> OperationLine.of(blank));
    }
}
