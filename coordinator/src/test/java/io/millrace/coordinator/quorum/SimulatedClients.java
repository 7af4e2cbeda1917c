package io.millrace.coordinator.quorum;

import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIds;
import io.millrace.coordinator.metadata.MetadataCommand.AllocateProducerIdsResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLog;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBroker;
import io.millrace.coordinator.metadata.MetadataCommand.RegisterBrokerResult;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.ReferenceMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Sends commands to whoever believes to lead, repeats those that failed under their operation id until they are answered, and at the end
 * holds the answers against the state.
 */
final class SimulatedClients {
    private static final int MAX_OPEN = 10;
    private static final int BROKER = 7;
    private static final UUID INCARNATION = new UUID(7, 7);

    private static final class Operation {
        final MetadataCommand<?> command;
        final List<Object> answers = new ArrayList<>();
        int inFlight;

        Operation(MetadataCommand<?> command) {
            this.command = command;
        }
    }

    private final SimulatedTime time;
    private final Random random;
    private final Supplier<List<SimulatedMember>> members;
    private final List<Operation> open = new ArrayList<>();
    private final List<Operation> answered = new ArrayList<>();
    private long newestBrokerEpoch;
    private int created;
    private int indeterminate;

    SimulatedClients(SimulatedTime time, Supplier<List<SimulatedMember>> members) {
        this.time = time;
        this.random = time.random("clients");
        this.members = members;
    }

    void start() {
        time.at(5 + random.nextInt(60), 0, () -> {
            submitOne();
            start();
        });
    }

    int answeredCount() {
        return answered.size();
    }

    int indeterminateCount() {
        return indeterminate;
    }

    private void submitOne() {
        if (open.size() < MAX_OPEN) {
            open.add(new Operation(next()));
        }
        Operation operation = open.get(random.nextInt(open.size()));
        // Mostly one try at a time; an impatient client asks two leaders.
        boolean impatient = random.nextInt(10) == 0;
        for (SimulatedMember member : members.get()) {
            if (member.isLeader() && (operation.inFlight == 0 || impatient)) {
                submit(operation, member, operation.command);
            }
        }
    }

    private <R> void submit(Operation operation, SimulatedMember member, MetadataCommand<R> command) {
        operation.inFlight++;
        member.metadata().controller().submit(command).whenComplete((answer, failure) -> {
            operation.inFlight--;
            if (failure != null) {
                indeterminate++;
                return;
            }
            operation.answers.add(answer);
            if (answer instanceof RegisterBrokerResult.Registered registered) {
                newestBrokerEpoch = Math.max(newestBrokerEpoch, registered.brokerEpoch());
            }
            if (open.remove(operation)) {
                answered.add(operation);
            }
        });
    }

    private MetadataCommand<?> next() {
        created++;
        UUID id = new UUID(random.nextLong(), created);
        if (newestBrokerEpoch == 0 || random.nextInt(20) == 0) {
            return new RegisterBroker(id, BROKER, INCARNATION, List.of());
        }
        return random.nextBoolean()
                ? new AllocateProducerIds(id, BROKER, newestBrokerEpoch)
                : new CreateLog(id, "log" + created, LogKind.QUEUE, LogOrigin.JMS, Optional.empty(), Map.of());
    }

    /** What must be the same in all answers to one operation; the rest may be newer in a later one. */
    private static Object granted(Object answer) {
        return switch (answer) {
            case CreateLogResult.Created(LogInfo log) -> log.logId();
            case AllocateProducerIdsResult.StaleBrokerEpoch stale -> "stale";
            default -> answer;
        };
    }

    /** What is wrong with the answers, given the final state. */
    List<String> violations(MetadataImage image) {
        List<String> wrong = new ArrayList<>();
        Set<Long> blocks = new HashSet<>();
        Map<UUID, Integer> done = new HashMap<>();
        ReferenceMetadata.operations(image).forEach(id -> done.merge(id, 1, Integer::sum));
        for (Operation operation : answered) {
            if (operation.answers.stream()
                            .map(SimulatedClients::granted)
                            .distinct()
                            .count()
                    > 1) {
                wrong.add("different answers to one operation: " + operation.answers);
            }
            switch (operation.answers.getFirst()) {
                case CreateLogResult.Created(LogInfo log) -> {
                    if (image.log(log.logId()).isEmpty()) {
                        wrong.add("acknowledged and lost: log " + log.name());
                    }
                }
                case AllocateProducerIdsResult.Allocated(long first, int count) -> {
                    if (first + count > image.nextProducerId()) {
                        wrong.add("acknowledged and lost: producer ids from " + first);
                    }
                    if (!blocks.add(first)) {
                        wrong.add("given out twice: producer ids from " + first);
                    }
                }
                case RegisterBrokerResult.Registered(long epoch) -> {
                    if (epoch > image.lastBrokerEpoch()) {
                        wrong.add("acknowledged and lost: broker epoch " + epoch);
                    }
                }
                case AllocateProducerIdsResult.StaleBrokerEpoch stale -> {}
                default -> wrong.add("not an answer to expect: " + operation.answers.getFirst());
            }
        }
        done.forEach((id, count) -> {
            if (count > 1) {
                wrong.add("done " + count + " times: operation " + id);
            }
        });
        return wrong;
    }
}
