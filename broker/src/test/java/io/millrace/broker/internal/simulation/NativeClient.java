package io.millrace.broker.internal.simulation;

import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.CloseSession;
import io.millrace.wire.frame.ConsumerOpened;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.DeliveryForm;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A JMS client with one session, which consumes from all queues. It connects when it has something to do, and anew when the connection is lost,
 * with the same session, of which it then holds nothing any more.
 */
abstract class NativeClient implements SimulatedClient {

    static final int SESSION = 1;

    private static final int CREDIT_MESSAGES = 6;
    private static final int CREDIT_BYTES = 10_000;

    private record Asked(Consumer<AnswerFrame> onAnswer, Consumer<Failure> onFailure) {}

    private record Held(int queue, int leaderEpoch, long acquisition, long offset, String text) {}

    /** What is done in a transaction. */
    static final class Work {
        final Trial trial;
        final TransactionIdentity identity;
        private final Map<Integer, Integer> sequences = new HashMap<>();
        /** A part of it is known to be missing. */
        boolean failed;

        Work(Trial trial, TransactionIdentity identity) {
            this.trial = trial;
            this.identity = identity;
        }
    }

    final SimulatedWorld world;
    final String name;
    private final UUID client;
    private UUID session;
    private @Nullable NativeLink link;
    private int opening;
    private boolean left = true;
    /** The session is being closed: what still comes for it is not looked at, and belongs to others. */
    private boolean leaving;

    private int nextCorr = 1;
    private final Map<Integer, Asked> asked = new HashMap<>();
    private final Map<Integer, Integer> leaderEpochs = new HashMap<>();
    private final List<Held> held = new ArrayList<>();

    NativeClient(SimulatedWorld world, String name) {
        this.world = world;
        this.name = name;
        this.client = new UUID(world.random.nextLong(), world.random.nextLong());
        this.session = client;
    }

    @Override
    public String name() {
        return name;
    }

    // ---- connection and session -----------------------------------------------------------------------------------

    /** Connects if need be; returns whether the session and its consumers are open. */
    boolean isUp() {
        if (link == null) {
            left = false;
            opening = 1 + SimulatedWorld.QUEUES.size();
            NativeLink opened = world.connect(client, this::receive, this::onCut);
            link = opened;
            ask(corr -> new OpenSession(corr, SESSION, session), done -> openConsumers(), this::cutBecauseOf);
        }
        return opening == 0;
    }

    private void openConsumers() {
        opening--;
        for (int queue = 0; queue < SimulatedWorld.QUEUES.size(); queue++) {
            int number = queue;
            UUID log = world.logOf(SimulatedWorld.QUEUES.get(queue));
            ask(
                    corr -> new OpenConsumer(
                            corr,
                            SESSION,
                            number,
                            log,
                            0,
                            ConsumerSource.QUEUE,
                            OpenConsumer.NO_SUBSCRIPTION,
                            StartPosition.LATEST,
                            -1,
                            CREDIT_MESSAGES,
                            CREDIT_BYTES,
                            List.of()),
                    opened -> {
                        leaderEpochs.put(number, ((ConsumerOpened) opened).leaderEpoch());
                        opening--;
                    },
                    this::cutBecauseOf);
        }
    }

    /** Nothing better can be done. */
    void cutBecauseOf(Failure why) {
        world.say(name + " gives up its connection: " + why.code() + " " + why.message());
        cut();
    }

    void cut() {
        if (link != null) {
            world.cut(link);
        }
    }

    private void onCut() {
        link = null;
        leaving = false;
        asked.clear();
        held.clear();
        onLost();
    }

    /** No answer will come to what was asked. */
    abstract void onLost();

    /** Ends the session in good order; the next one is another. */
    void leave() {
        if (link == null) {
            session = new UUID(world.random.nextLong(), world.random.nextLong());
            left = true;
            return;
        }
        leaving = true;
        ask(
                corr -> new CloseSession(corr, SESSION),
                done -> {
                    session = new UUID(world.random.nextLong(), world.random.nextLong());
                    left = true;
                    cut();
                },
                this::cutBecauseOf);
    }

    boolean hasLeft() {
        return left && link == null;
    }

    /** Asks the broker; one of the two is told, unless the connection is lost before. */
    void ask(IntFunction<RequestFrame> request, Consumer<AnswerFrame> onAnswer, Consumer<Failure> onFailure) {
        int corr = nextCorr++;
        asked.put(corr, new Asked(onAnswer, onFailure));
        Objects.requireNonNull(link).transmit(request.apply(corr));
    }

    private void receive(Frame frame) {
        switch (frame) {
            case Failure failure ->
                Optional.ofNullable(asked.remove(failure.corr())).ifPresent(one -> one.onFailure.accept(failure));
            case AnswerFrame answer ->
                Optional.ofNullable(asked.remove(answer.corr())).ifPresent(one -> one.onAnswer.accept(answer));
            case Deliver delivery -> {
                if (!leaving) {
                    onDelivery(delivery);
                }
            }
            default -> cut();
        }
    }

    // ---- messages -------------------------------------------------------------------------------------------------

    private void onDelivery(Deliver delivery) {
        int count = delivery.entries().count();
        try (RecordCursor records = delivery.form() == DeliveryForm.RECORDS
                ? RecordCursor.overRecords(delivery.payload(), delivery.baseOffset(), delivery.baseTimestampMs(), count)
                : RecordBatch.at(delivery.payload(), 0).records()) {
            int entry = 0;
            while (entry < count && records.next()) {
                if (records.offset()
                        == delivery.baseOffset() + delivery.entries().offsetDelta(entry)) {
                    String text = StandardCharsets.UTF_8
                            .decode(Objects.requireNonNull(records.value()))
                            .toString();
                    world.ledger.onDelivered(text);
                    held.add(new Held(
                            delivery.consumer(),
                            delivery.leaderEpoch(),
                            delivery.acquisition(),
                            records.offset(),
                            text));
                    entry++;
                }
            }
            SimulatedWorld.check(entry == count, "entries without records");
        }
    }

    /** Sends some messages to a queue. */
    void send(Work work) {
        int queue = world.random.nextInt(SimulatedWorld.QUEUES.size());
        int sequence = work.sequences.getOrDefault(queue, 0);
        List<String> texts = Batches.texts(world, work.trial);
        work.sequences.put(queue, sequence + texts.size());
        ask(
                corr -> new Send(
                        corr,
                        SESSION,
                        world.logOf(SimulatedWorld.QUEUES.get(queue)),
                        0,
                        leaderEpochs.getOrDefault(queue, 0),
                        SendAnswer.WRITTEN,
                        Batches.of(world, texts, work.identity.producerId(), work.identity.epoch(), sequence)),
                stored -> {},
                refused -> work.failed = true);
    }

    /** Acknowledges a message that was received, if there is one, and lets the next one come. */
    void acknowledge(Work work) {
        if (held.isEmpty()) {
            return;
        }
        Held one = held.remove(world.random.nextInt(held.size()));
        world.ledger.acknowledges(work.trial, one.text);
        ask(
                corr -> new Acknowledge(
                        corr,
                        SESSION,
                        false,
                        Optional.of(work.identity),
                        List.of(new AcknowledgedRanges(
                                one.queue,
                                0,
                                one.leaderEpoch,
                                one.acquisition,
                                List.of(new OffsetRange(one.offset, 1))))),
                answer -> work.failed |= !((Acknowledged) answer).refused().isEmpty(),
                refused -> work.failed = true);
        Objects.requireNonNull(link).transmit(new Credit(SESSION, one.queue, 0, 1, 500));
    }

    /** Receives all that there is, for good; returns the messages that came since the last call. */
    List<String> takeAll() {
        List<String> texts = new ArrayList<>();
        for (Held one : held) {
            texts.add(one.text);
            Objects.requireNonNull(link).transmit(new Credit(SESSION, one.queue, 0, 1, 500));
        }
        held.clear();
        return texts;
    }
}
