package io.millrace.jms.internal.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.jms.internal.transport.StepLoop;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.PartitionLeader;
import io.millrace.wire.frame.Send;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.message.EncodedMessage;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.Sequences;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A sender, and a partition that keeps the rules of producer sequences, under a network and a server that fail at random in every way that
 * the protocol knows. Whatever happens, a message that was reported stored is in the log once, a message that was reported refused is not,
 * and the log has the order of the sends. A failure names its seed.
 */
class PartitionSenderSimulationTest {

    private static final int SEEDS = 400;
    private static final int STEPS = 600;
    private static final UUID LOG = new UUID(1, 1);
    private static final PartitionAddress ADDRESS = new PartitionAddress("orders", DestinationKind.QUEUE, LOG, 0);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldStoreEachMessageOnceAndInOrder(long seed) {
        World world = new World(seed);

        for (int i = 0; i < STEPS; i++) {
            world.step();
            world.checkLog();
        }
        world.heal();

        world.checkOutcomes();
    }

    private static final class World implements SendRoute {

        private final RandomGenerator random;
        private final StepLoop loop = new StepLoop();
        private final PartitionLogModel log = new PartitionLogModel();
        private final PartitionSender sender;
        private final Deque<Request> toServer = new ArrayDeque<>();
        private final Deque<Answer> toClient = new ArrayDeque<>();
        private final Map<Integer, String> outcomes = new HashMap<>();
        private final List<Integer> outcomeOrder = new ArrayList<>();
        private int sent;
        private int leaderEpoch = 1;
        private long nextProducerId = 100;
        private boolean up = true;
        private boolean calm;

        private record Request(Send frame, Runnable sent, ReplyHandler handler) {}

        private record Answer(Runnable delivery, Runnable loss) {}

        World(long seed) {
            random = new SplittableRandom(seed);
            // Batches of a few messages, so that there are many.
            sender = new PartitionSender(this, ADDRESS, new BatchPacker(Compression.NONE, 300), leaderEpoch);
        }

        void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> send();
                case 3, 4, 5 -> serve();
                case 6, 7, 8 -> deliverAnswer();
                case 9 -> loop.advanceMs(random.nextInt(300));
                case 10 -> {
                    if (random.nextInt(4) == 0) {
                        toggleLink();
                    }
                }
                default -> {
                    if (random.nextInt(6) == 0) {
                        leaderEpoch++;
                    }
                    if (random.nextInt(40) == 0) {
                        log.loseWhatWasNotConfirmed();
                    }
                }
            }
            loop.run();
        }

        private void send() {
            int number = sent++;
            boolean poison = random.nextInt(25) == 0;
            String text = number + (poison ? " poison" : "");
            EncodedMessage encoded = new EncodedMessage(
                    1,
                    Optional.empty(),
                    Optional.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))),
                    List.of());
            sender.send(new OutgoingMessage(encoded, 1, true, new SendListener() {
                @Override
                public void onStored() {
                    note(number, "stored");
                }

                @Override
                public void onFailed(LinkException why) {
                    note(
                            number,
                            why instanceof RequestRefusedException refused
                                    ? refused.code().name()
                                    : "failed");
                }
            }));
        }

        private void note(int number, String outcome) {
            assertThat(outcomes.put(number, outcome))
                    .as("second outcome of message %d", number)
                    .isNull();
            outcomeOrder.add(number);
        }

        /** The server takes the next request, in order, and does or does not do it, and says so or not. */
        private void serve() {
            Request request = toServer.poll();
            if (request == null) {
                return;
            }
            request.sent().run();
            Optional<ErrorCode> trouble = trouble();
            if (trouble.isPresent() && trouble.get() != ErrorCode.TIMEOUT) {
                answer(request, trouble.get());
                return;
            }
            if (request.frame().leaderEpoch() != leaderEpoch) {
                answer(request, ErrorCode.STALE_EPOCH);
                return;
            }
            Optional<ErrorCode> refused = log.append(request.frame());
            if (trouble.isPresent()) {
                answer(request, trouble.get()); // though it was done, perhaps
            } else if (refused.isPresent()) {
                answer(request, refused.get());
            } else {
                List<Integer> numbers = PartitionLogModel.numbers(request.frame());
                toClient.add(new Answer(
                        () -> request.handler()
                                .onAnswer(new SendOk(request.frame().corr(), 1, 0, leaderEpoch)),
                        () -> request.handler().onFailure(new LinkLostException("lost"))));
                log.confirm(numbers);
            }
        }

        private Optional<ErrorCode> trouble() {
            if (calm || random.nextInt(10) > 0) {
                return Optional.empty();
            }
            return Optional.of(
                    switch (random.nextInt(4)) {
                        case 0 -> ErrorCode.TIMEOUT;
                        case 1 -> ErrorCode.NOT_LEADER;
                        case 2 -> ErrorCode.SHUTTING_DOWN;
                        default -> ErrorCode.TOO_MANY_REQUESTS;
                    });
        }

        private void answer(Request request, ErrorCode code) {
            toClient.add(new Answer(
                    () -> request.handler().onFailure(new RequestRefusedException(code, "simulated")),
                    () -> request.handler().onFailure(new LinkLostException("lost"))));
        }

        private void deliverAnswer() {
            Answer answer = toClient.poll();
            if (answer != null) {
                answer.delivery().run();
            }
        }

        private void toggleLink() {
            if (up) {
                up = false;
                // Requests on the wire may still reach the server; none of the answers reaches us.
                List<Request> lost = List.copyOf(toServer);
                toServer.clear();
                lost.stream().limit(random.nextInt(lost.size() + 1)).forEach(request -> {
                    if (request.frame().leaderEpoch() == leaderEpoch) {
                        log.append(request.frame());
                    }
                });
                List<Answer> answers = List.copyOf(toClient);
                toClient.clear();
                answers.forEach(answer -> answer.loss().run());
                lost.forEach(request -> request.handler().onFailure(new LinkLostException("lost")));
            } else {
                up = true;
                sender.onUp();
            }
        }

        /** Everything works from here on. */
        void heal() {
            calm = true;
            if (!up) {
                toggleLink();
            }
            for (int i = 0; i < 2_000 && !sender.idle(); i++) {
                loop.run();
                serve();
                deliverAnswer();
                loop.advanceMs(10);
            }
            assertThat(sender.idle()).as("everything is answered in the end").isTrue();
        }

        void checkLog() {
            assertThat(log.numbers()).as("log").isSorted().doesNotHaveDuplicates();
        }

        void checkOutcomes() {
            assertThat(outcomes).hasSize(sent);
            assertThat(outcomeOrder).as("order of the outcomes").isSorted();
            Set<Integer> stored = new HashSet<>(log.numbers());
            outcomes.forEach((number, outcome) -> assertThat(stored.contains(number))
                    .as("message %d: %s", number, outcome)
                    .isEqualTo(outcome.equals("stored")));
        }

        @Override
        public boolean up() {
            return up;
        }

        @Override
        public void send(int session, IntFunction<Send> frame, Runnable whenSent, ReplyHandler handler) {
            toServer.add(new Request(frame.apply(sent), whenSent, handler));
        }

        @Override
        public int usableSession(int preferred) {
            return preferred;
        }

        @Override
        public void describe(PartitionAddress address, ReplyHandler handler) {
            handler.onAnswer(new DestinationDescribed(
                    1,
                    LOG,
                    "orders",
                    DestinationKind.QUEUE,
                    300,
                    List.of(new PartitionLeader(1, leaderEpoch, "localhost", 1))));
        }

        @Override
        public void identity(ProducerIdentity spent, IdentityTaker taker) {
            nextProducerId++;
            // Near the last epoch, so that it is reached.
            taker.onGiven(new ProducerIdentity(nextProducerId, (short) (Short.MAX_VALUE - random.nextInt(4))));
        }

        @Override
        public Loop loop() {
            return loop;
        }
    }

    /** The producer rules of a partition: epoch, expected sequence, the last five batches. */
    private static final class PartitionLogModel {

        private final List<Integer> records = new ArrayList<>();
        private final Set<Integer> confirmed = new HashSet<>();
        private final Map<Long, Producer> producers = new HashMap<>();

        /** One of the batches that a partition remembers; {@code end} is the size of the log after it. */
        private record Known(int first, int last, int end) {}

        private static final class Producer {
            private short epoch;
            private final Deque<Known> batches = new ArrayDeque<>();

            int nextSequence() {
                return Sequences.plus(batches.getLast().last(), 1);
            }
        }

        Optional<ErrorCode> append(Send frame) {
            RecordBatch batch = RecordBatch.at(frame.payload(), 0);
            List<Integer> numbers = numbers(frame);
            if (text(frame).stream().anyMatch(text -> text.endsWith("poison"))) {
                return Optional.of(ErrorCode.CORRUPT_BATCH);
            }
            int first = batch.baseSequence();
            int last = Sequences.plus(first, batch.recordCount() - 1);
            Producer producer = producers.get(batch.producerId());
            if (producer == null) {
                producer = new Producer();
                producer.epoch = batch.producerEpoch();
                producers.put(batch.producerId(), producer);
            } else if (batch.producerEpoch() < producer.epoch) {
                return Optional.of(ErrorCode.PRODUCER_FENCED);
            } else if (batch.producerEpoch() > producer.epoch) {
                if (first != 0) {
                    return Optional.of(ErrorCode.OUT_OF_ORDER_SEQUENCE);
                }
                producer.epoch = batch.producerEpoch();
                producer.batches.clear();
            } else if (producer.batches.stream().anyMatch(known -> known.first() == first && known.last() == last)) {
                return Optional.empty();
            } else if (first != producer.nextSequence()) {
                return Optional.of(ErrorCode.OUT_OF_ORDER_SEQUENCE);
            }
            producer.batches.add(new Known(first, last, records.size() + numbers.size()));
            if (producer.batches.size() > PartitionSender.MAX_UNANSWERED) {
                producer.batches.remove();
            }
            records.addAll(numbers);
            return Optional.empty();
        }

        void confirm(List<Integer> numbers) {
            confirmed.addAll(numbers);
        }

        /** Power cut: the tail that nobody was told of is gone, and the producers are what the rest of the log says. */
        void loseWhatWasNotConfirmed() {
            int size = records.size();
            while (size > 0 && !confirmed.contains(records.get(size - 1))) {
                size--;
            }
            int left = size;
            records.subList(left, records.size()).clear();
            producers.values().forEach(producer -> producer.batches.removeIf(known -> known.end() > left));
            producers.values().removeIf(producer -> producer.batches.isEmpty());
        }

        List<Integer> numbers() {
            return records;
        }

        static List<Integer> numbers(Send frame) {
            List<Integer> numbers = new ArrayList<>();
            for (String text : text(frame)) {
                numbers.add(Integer.parseInt(text.split(" ", 2)[0]));
            }
            return numbers;
        }

        private static List<String> text(Send frame) {
            List<String> texts = new ArrayList<>();
            try (RecordCursor records = RecordBatch.at(frame.payload(), 0).records()) {
                while (records.next()) {
                    texts.add(StandardCharsets.UTF_8.decode(records.value()).toString());
                }
            }
            return texts;
        }
    }
}
