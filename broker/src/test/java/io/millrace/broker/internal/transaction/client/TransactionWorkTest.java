package io.millrace.broker.internal.transaction.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.Participant.Part;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a session has under way in a transaction. */
class TransactionWorkTest {

    private static final Participant ORDERS = new Participant("orders", 0, Part.DATA);
    private static final Participant CURSORS = new Participant("orders", 0, Part.CURSOR);

    private final Map<Participant, CompletableFuture<Void>> adding = new LinkedHashMap<>();
    private final List<String> events = new ArrayList<>();
    private final TransactionWork work = new TransactionWork(new ProducerIdentity(7, (short) 3), false, participant -> {
        CompletableFuture<Void> added = new CompletableFuture<>();
        assertThat(adding.put(participant, added)).as("added twice").isNull();
        return added;
    });

    private void submit(Participant participant, String name) {
        work.submit(participant, new TransactionWork.Step() {
            @Override
            public void run() {
                events.add(name);
            }

            @Override
            public void refuse(String why) {
                events.add(name + " refused: " + why);
            }
        });
    }

    private CompletableFuture<Void> addingOf(Participant participant) {
        return Optional.ofNullable(adding.get(participant)).orElseThrow();
    }

    private void added(Participant participant) {
        addingOf(participant).complete(null);
    }

    @Test
    void shouldWriteNothingBeforeTheCoordinatorKnowsTheParticipant() {
        submit(ORDERS, "a");
        submit(ORDERS, "b");
        submit(CURSORS, "c");
        assertThat(events).isEmpty();

        added(CURSORS);
        assertThat(events).containsExactly("c");
        added(ORDERS);
        submit(ORDERS, "d");
        assertThat(events).containsExactly("c", "a", "b", "d");
    }

    @Test
    void shouldKeepTheOrderOfWhatComesWhileOthersAreLetGo() {
        work.submit(ORDERS, new TransactionWork.Step() {
            @Override
            public void run() {
                events.add("first");
                submit(ORDERS, "came meanwhile");
            }

            @Override
            public void refuse(String why) {
                events.add(why);
            }
        });
        submit(ORDERS, "second");
        added(ORDERS);

        assertThat(events).containsExactly("first", "second", "came meanwhile");
    }

    @Test
    void shouldBeSettledWhenAllHasItsOutcome() {
        submit(ORDERS, "a");
        submit(ORDERS, "b");
        added(ORDERS);
        work.close();
        CompletableFuture<Optional<String>> settled = work.settled();

        work.onOutcome(Optional.empty());
        assertThat(settled).isNotDone();
        work.onOutcome(Optional.empty());
        assertThat(settled).isCompletedWithValue(Optional.empty());
    }

    @Test
    void shouldFailAsAWholeWithWhatFailedFirst() {
        submit(ORDERS, "a");
        submit(ORDERS, "b");
        added(ORDERS);
        work.onOutcome(Optional.of("the disk is full"));
        work.onOutcome(Optional.of("it is still full"));

        assertThat(work.settled()).isCompletedWithValue(Optional.of("the disk is full"));
        submit(ORDERS, "c");
        assertThat(events).containsExactly("a", "b", "c refused: the disk is full");
    }

    @Test
    void shouldRefuseWhatWaitsForAParticipantThatIsNotAdded() {
        submit(ORDERS, "a");
        submit(ORDERS, "b");
        addingOf(ORDERS).completeExceptionally(new TransactionException(TransactionError.ROLLED_BACK, "it is over"));

        assertThat(events).containsExactly("a refused: it is over", "b refused: it is over");
        assertThat(work.settled()).isCompletedWithValue(Optional.of("it is over"));
    }

    @Test
    void shouldTakeNothingOnceItEnds() {
        work.close();
        submit(ORDERS, "late");

        assertThat(events).singleElement().asString().contains("late refused", "is ending");
        assertThat(work.settled()).isCompletedWithValue(Optional.empty());
        assertThat(work.isUnused()).isTrue();
    }
}
