package io.millrace.jms.internal.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jms.internal.producer.SendBudget.Room;
import org.junit.jupiter.api.Test;

class SendBudgetTest {

    private final SendBudget budget = new SendBudget(100);

    @Test
    void shouldAdmitAsMuchAsFits() {
        assertThat(budget.take(60).admitted()).isDone();
        assertThat(budget.take(40).admitted()).isDone();
        assertThat(budget.take(1).admitted()).isNotDone();
    }

    @Test
    void shouldAdmitInOrderWhenRoomIsGivenBack() {
        Room first = budget.take(60);
        Room second = budget.take(60);
        Room third = budget.take(10);
        assertThat(third.admitted()).as("no overtaking").isNotDone();

        budget.give(first);

        assertThat(second.admitted()).isDone();
        assertThat(third.admitted()).isDone();
    }

    @Test
    void shouldAdmitALargeOneAlone() {
        Room large = budget.take(1_000);
        assertThat(large.admitted()).isDone();
        Room small = budget.take(1);
        assertThat(small.admitted()).isNotDone();

        budget.give(large);

        assertThat(small.admitted()).isDone();
    }

    @Test
    void shouldLetOthersPassWhenOneLeavesTheLine() {
        Room first = budget.take(60);
        Room impatient = budget.take(90);
        Room patient = budget.take(40);

        budget.give(impatient);

        assertThat(patient.admitted()).isDone();
        budget.give(patient);
        budget.give(first);
        assertThat(budget.take(100).admitted()).isDone();
    }
}
