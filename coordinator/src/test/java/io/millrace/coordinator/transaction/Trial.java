package io.millrace.coordinator.transaction;

import java.util.ArrayList;
import java.util.List;

/** One transaction as its client saw it. */
final class Trial {

    enum Outcome {
        /** The client does not know: it may be either, but the same for all operations. */
        UNKNOWN,
        COMMITTED,
        ROLLED_BACK
    }

    /** Where an operation went. */
    record Operation(int number, SimulatedParticipant participant) {}

    final String name;
    final List<Operation> operations = new ArrayList<>();
    Outcome outcome = Outcome.UNKNOWN;

    Trial(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name + " " + outcome + " "
                + operations.stream()
                        .map(one -> one.number + "@" + one.participant.name)
                        .toList();
    }
}
