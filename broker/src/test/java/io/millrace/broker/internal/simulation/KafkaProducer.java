package io.millrace.broker.internal.simulation;

import io.millrace.broker.internal.kafka.transaction.TransactionalAppends;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionCoordinator;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A transactional producer of Kafka, from where its requests are decoded: repeats what was not answered, and commits only when all that it wrote is
 * acknowledged. Two of the same id fence each other.
 */
final class KafkaProducer implements SimulatedClient {

    private static final int TIMEOUT_MS = 20_000;
    private static final int OLD_PROTOCOL = 1;
    private static final int NEW_PROTOCOL = 2;
    private static final short OLD_PRODUCE = 11;
    private static final short NEW_PRODUCE = 12;
    private static final int MAX_UNANSWERED = 3;
    private static final int MAX_REPEATS = 3;

    private record Batch(int queue, List<String> texts, int sequence) {}

    private final SimulatedWorld world;
    private final String id;
    private final String name;
    private @Nullable Link link;
    private @Nullable ProducerIdentity identity;
    private @Nullable Trial trial;
    private final Map<Integer, Integer> sequences = new HashMap<>();
    private final Set<Integer> added = new HashSet<>();
    private final List<Batch> unanswered = new ArrayList<>();
    private int protocol;
    private boolean waiting;
    /** A part of the transaction is missing, or may be. */
    private boolean failed;
    /** What was asked for as an end, while that is not answered. */
    private Optional<Boolean> ending = Optional.empty();

    private int repeats;

    KafkaProducer(SimulatedWorld world, String id, String name) {
        this.world = world;
        this.id = id;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    // ---- requests -------------------------------------------------------------------------------------------------

    private Link link() {
        Link present = link;
        if (present == null) {
            present = world.connect(this::onCut);
            link = present;
        }
        return present;
    }

    private void onCut() {
        link = null;
        waiting = false;
        if (identity == null || trial == null) {
            forget();
        } else if (!unanswered.isEmpty()) {
            if (repeats++ < MAX_REPEATS && !failed) {
                world.did("producer repeats");
                List.copyOf(unanswered).forEach(this::submit);
            } else {
                unanswered.clear();
                failed = true;
            }
        }
    }

    /** Calls the coordinator; one of the two is told, unless the connection is lost before. */
    private <T> void call(
            Function<TransactionCoordinator, CompletionStage<T>> call,
            Consumer<T> onAnswer,
            Consumer<TransactionException> onRefused) {
        waiting = true;
        Link asking = link();
        asking.ask(() -> {
            var _ = world.broker()
                    .transactions()
                    .call(id, call)
                    .whenComplete(
                            (answer, failure) -> asking.tell(() -> onOutcome(answer, failure, onAnswer, onRefused)));
        });
    }

    private <T> void onOutcome(
            @Nullable T answer,
            @Nullable Throwable failure,
            Consumer<T> onAnswer,
            Consumer<TransactionException> onRefused) {
        waiting = false;
        if (failure == null) {
            onAnswer.accept(answer);
        } else if (cause(failure) instanceof TransactionException known) {
            world.say(name + " hears " + known.error() + " " + known.getMessage());
            onRefused.accept(known);
        } else {
            throw new AssertionError("a call failed with something that no client knows", failure);
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private static Participant participant(int queue) {
        return new Participant(SimulatedWorld.QUEUES.get(queue), 0, Participant.Part.DATA);
    }

    // ---- what it does ---------------------------------------------------------------------------------------------

    @Override
    public void act() {
        if (waiting) {
            return;
        }
        ProducerIdentity mine = identity;
        Trial current = trial;
        if (mine == null || (ending.isEmpty() && world.random.nextInt(300) == 0)) {
            init();
        } else if (current == null) {
            protocol = world.random.nextInt(OLD_PROTOCOL, NEW_PROTOCOL + 1);
            trial = world.ledger.begin(name + " (protocol " + protocol + ", " + mine + ")");
            added.clear();
            repeats = 0;
        } else if (ending.isPresent()) {
            end(mine, current, ending.get());
        } else if (!failed && (current.sent.isEmpty() || world.random.nextInt(100) < 50)) {
            if (unanswered.size() < MAX_UNANSWERED) {
                write(mine, current);
            }
        } else if (failed) {
            end(mine, current, false);
        } else if (unanswered.isEmpty()) {
            end(mine, current, world.random.nextInt(4) > 0);
        }
    }

    private void init() {
        Optional<ProducerIdentity> expected = world.chance(30) ? Optional.ofNullable(identity) : Optional.empty();
        forget();
        call(
                at -> at.producers().init(id, TIMEOUT_MS, expected, NativeLink.USER),
                given -> {
                    world.did("producer init");
                    world.say(name + " has " + given);
                    identity = given;
                },
                refused -> {});
    }

    /** Begins anew; what is open was never asked to commit, or nobody knows. */
    private void forget() {
        identity = null;
        trial = null;
        sequences.clear();
        unanswered.clear();
        ending = Optional.empty();
        failed = false;
        waiting = false;
    }

    private void write(ProducerIdentity mine, Trial current) {
        int queue = world.random.nextInt(SimulatedWorld.QUEUES.size());
        if (protocol == OLD_PROTOCOL && !added.contains(queue)) {
            call(
                    at -> at.producers()
                            .add(id, mine, List.of(participant(queue)), OLD_PROTOCOL)
                            .thenCompose(one -> one.durable()),
                    done -> added.add(queue),
                    this::onRefused);
            return;
        }
        int sequence = sequences.getOrDefault(queue, 0);
        Batch batch = new Batch(queue, Batches.texts(world, current), sequence);
        sequences.put(queue, sequence + batch.texts.size());
        unanswered.add(batch);
        submit(batch);
    }

    private void submit(Batch batch) {
        ProducerIdentity mine = identity;
        if (mine == null) {
            return;
        }
        ByteBuffer bytes = Batches.of(world, batch.texts, mine.id(), mine.epoch(), batch.sequence);
        short version = protocol == OLD_PROTOCOL ? OLD_PRODUCE : NEW_PRODUCE;
        String queue = SimulatedWorld.QUEUES.get(batch.queue);
        world.say(name + " writes " + batch + " under " + mine);
        Link asking = link();
        asking.ask(() -> {
            Partition partition = world.broker().partition(world.logOf(queue));
            partition
                    .shard()
                    .execute(() -> world.broker()
                            .appends()
                            .append(new TransactionalAppends.Send(
                                    partition, queue, id, bytes, version, true, new Answer(asking, batch))));
        });
    }

    private final class Answer implements TransactionalAppends.Answer {
        private final Link asking;
        private final Batch batch;

        Answer(Link asking, Batch batch) {
            this.asking = asking;
            this.batch = batch;
        }

        @Override
        public void onStored(long baseOffset) {
            asking.tell(() -> {
                world.say(name + " has " + batch + " stored at " + baseOffset);
                unanswered.remove(batch);
            });
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            asking.tell(() -> fail(code + " " + message));
        }

        @Override
        public void onRefused(Errors error, String why) {
            asking.tell(() -> fail(error + " " + why));
        }

        private void fail(String why) {
            world.say(name + " cannot write: " + why);
            if (unanswered.remove(batch)) {
                failed = true;
            }
        }
    }

    private void onRefused(TransactionException why) {
        if (why.error() == TransactionError.FENCED || why.error() == TransactionError.UNKNOWN) {
            world.did("producer fenced");
            forget();
        } else {
            failed = true;
        }
    }

    private void end(ProducerIdentity mine, Trial current, boolean commit) {
        boolean again = ending.isPresent();
        if (again && repeats++ > MAX_REPEATS) {
            // An application that does not know begins anew.
            forget();
            return;
        }
        ending = Optional.of(commit);
        unanswered.clear();
        current.commitAsked |= commit;
        world.onEnd();
        world.say(current + (commit ? " commits" : " rolls back") + (again ? " again" : ""));
        call(
                at -> at.producers().end(id, mine, commit, protocol),
                next -> {
                    Trial.Outcome outcome = commit ? Trial.Outcome.COMMITTED : Trial.Outcome.ROLLED_BACK;
                    world.did("producer " + outcome + (again ? " known later" : ""));
                    current.told(outcome);
                    world.say(current + " is " + outcome);
                    world.onEnd();
                    ending = Optional.empty();
                    trial = null;
                    identity = failed ? null : next;
                    failed = false;
                    if (!next.equals(mine)) {
                        sequences.clear();
                    }
                },
                refused -> {
                    if (refused.error() == TransactionError.ROLLED_BACK) {
                        current.told(Trial.Outcome.ROLLED_BACK);
                        forget();
                    } else if (refused.error() == TransactionError.FENCED
                            || refused.error() == TransactionError.UNKNOWN
                            || refused.error() == TransactionError.INVALID_STATE) {
                        forget();
                    }
                });
    }

    @Override
    public void settle() {
        if (waiting || isDone()) {
            return;
        }
        ProducerIdentity mine = identity;
        Trial current = trial;
        if (mine == null || current == null) {
            forget();
        } else if (ending.isPresent()) {
            end(mine, current, ending.get());
        } else {
            unanswered.clear();
            end(mine, current, false);
        }
    }

    @Override
    public boolean isDone() {
        return !waiting && trial == null;
    }
}
