package io.millrace.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.history.Operation.Acknowledged;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Operation.Received;
import io.millrace.testkit.history.Operation.Sent;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private final History history = new History(new FakeTimeSource());

    @Test
    void shouldKeepEveryNoteAsItWas() {
        List<Operation> notes = List.of(
                new Sent("orders", "a-1", "a", 1, Outcome.CONFIRMED, 10),
                new Received("orders", "a-1", true, 2, 11),
                new Acknowledged("orders", "a-1", Outcome.UNKNOWN, 12));

        notes.forEach(history::add);

        assertThat(history.operations()).isEqualTo(notes);
    }

    @Test
    void shouldKeepAnIdOnceThoughEveryNoteOfAnotherProcessBringsItsOwn() {
        Operation sent =
                OperationLine.parse(OperationLine.of(new Sent("orders", "a-1", "a", 1, Outcome.CONFIRMED, 10)));
        Operation received = OperationLine.parse(OperationLine.of(new Received("orders", "a-1", false, 1, 11)));
        history.add(sent);
        history.add(received);

        Sent first = (Sent) history.operations().getFirst();
        Received second = (Received) history.operations().getLast();
        assertThat(second.id()).isSameAs(first.id());
        assertThat(second.subscription()).isSameAs(first.destination());
    }
}
