package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jms.MillraceQueue;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.jms.internal.message.TrustedClasses;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.StepLoop;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.RequestFrame;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A consumer and a queue, with everything in between going wrong at random: cut connections that are resumed, restarts of the server, stops,
 * recovers, messages that lie unread. Whatever happens: what was confirmed never comes again, what was seen before comes marked, messages
 * come in order between two recovers, and in the end each is acknowledged. A failure names its seed.
 */
class ConsumerSimulationTest {

    private static final int SEEDS = 300;
    private static final int STEPS = 800;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldNeitherLoseNorRepeatNorReorder(long seed) throws JMSException {
        World world = new World(seed);

        for (int i = 0; i < STEPS; i++) {
            world.step();
        }

        world.heal();
    }

    private static final class World implements FeedSession {

        private final RandomGenerator random;
        private final StepLoop loop = new StepLoop();
        private final QueueModel queue;
        private final SessionFeeds feeds;
        private final ConsumerFeed feed;
        private final Deque<Frame> toServer = new ArrayDeque<>();
        private final Deque<Frame> toClient = new ArrayDeque<>();
        private final Map<Integer, ReplyHandler> open = new LinkedHashMap<>();
        private final List<HeldMessage> unacknowledged = new ArrayList<>();
        private final Set<Integer> seen = new HashSet<>();
        private final Set<Integer> confirmed = new HashSet<>();
        private int lastCorr;
        private int lastReceived = -1;
        private boolean up = true;
        private boolean started = true;

        World(long seed) throws JMSException {
            random = new SplittableRandom(seed);
            queue = new QueueModel(random, toClient::add);
            feeds = new SessionFeeds(this, 0, failure -> {
                throw new AssertionError(failure);
            });
            ConsumerSpec spec = new ConsumerSpec(
                    new MillraceQueue("q"),
                    new UUID(1, 1),
                    1,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    new MessageFactory(TrustedClasses.of("")),
                    Acknowledger.IGNORE,
                    16,
                    Long.MAX_VALUE / 2);
            feed = feeds.open(spec, true, () -> {});
        }

        void step() throws JMSException {
            switch (random.nextInt(20)) {
                case 0, 1, 2 -> queue.send();
                case 3, 4, 5, 6, 7 -> serve();
                case 8, 9, 10, 11, 12 -> deliver();
                case 13, 14, 15 -> receive();
                case 16 -> acknowledge();
                case 17 -> loop.advanceMs(random.nextInt(200));
                case 18 -> rarely(4, this::recover);
                default -> {
                    rarely(3, this::startOrStop);
                    rarely(4, this::breakLink);
                }
            }
            loop.run();
        }

        private void rarely(int one, Runnable action) {
            if (random.nextInt(one) == 0) {
                action.run();
            }
        }

        private void serve() {
            Frame frame = toServer.poll();
            if (frame != null) {
                queue.onFrame(frame);
            }
        }

        private void deliver() {
            Frame frame = toClient.poll();
            if (frame instanceof Deliver delivery) {
                feeds.onDeliver(delivery);
            } else if (frame instanceof AnswerFrame answer) {
                Optional.ofNullable(open.remove(answer.corr())).ifPresent(handler -> handler.onAnswer(answer));
            }
        }

        private void receive() throws JMSException {
            Optional<HeldMessage> next = feed.buffer().poll();
            if (next.isEmpty()) {
                if (started) {
                    feed.onHungry();
                }
                return;
            }
            HeldMessage message = next.get();
            feed.onTaken(message);
            TextMessage text = (TextMessage) message.message();
            int number = Integer.parseInt(text.getText());
            assertThat(confirmed).as("confirmed before").doesNotContain(number);
            assertThat(number).as("in order").isGreaterThan(lastReceived);
            if (seen.contains(number)) {
                assertThat(text.getJMSRedelivered())
                        .as("message %d is marked", number)
                        .isTrue();
            }
            lastReceived = number;
            seen.add(number);
            unacknowledged.add(message);
        }

        private void acknowledge() {
            List<HeldMessage> all = List.copyOf(unacknowledged);
            unacknowledged.clear();
            if (random.nextInt(3) == 0) {
                all.forEach(feeds::acknowledge);
                return;
            }
            CompletableFuture<Void> _ = feeds.acknowledgeDurably(all).whenComplete((_, failure) -> {
                if (failure == null) {
                    all.forEach(message -> confirmed.add(number(message)));
                }
            });
        }

        private void recover() {
            List<HeldMessage> all = List.copyOf(unacknowledged);
            unacknowledged.clear();
            CompletableFuture<Void> _ = feeds.releaseAll(all);
            lastReceived = -1;
        }

        private void startOrStop() {
            started = !started;
            feeds.run(started);
        }

        /** Some of what is on the way still arrives at the server; nothing of it is heard of here. */
        private void breakLink() {
            if (up) {
                int arrived = random.nextInt(toServer.size() + 1);
                for (int i = 0; i < arrived; i++) {
                    serve();
                }
                up = false;
                toServer.clear();
                toClient.clear();
                List<ReplyHandler> lost = List.copyOf(open.values());
                open.clear();
                lost.forEach(handler -> handler.onFailure(new LinkLostException("cut")));
                feeds.onDown();
                queue.detach();
            } else {
                comeBack();
            }
        }

        private void comeBack() {
            up = true;
            if (random.nextBoolean()) {
                feeds.onResumed();
            } else {
                queue.restart();
                feeds.onForgotten();
                unacknowledged.clear();
                lastReceived = -1;
            }
        }

        /** Everything works from here on, and the application acknowledges all that it gets. */
        void heal() throws JMSException {
            if (!up) {
                comeBack();
            }
            if (!started) {
                startOrStop();
            }
            for (int i = 0; i < 20_000 && !queue.allAcknowledged(); i++) {
                receive();
                loop.run();
                serve();
                deliver();
                if (i % 50 == 49) {
                    acknowledge();
                    loop.advanceMs(10);
                }
            }
            assertThat(queue.allAcknowledged())
                    .as("%d messages are acknowledged in the end", queue.size())
                    .isTrue();
        }

        private static int number(HeldMessage message) {
            try {
                return Integer.parseInt(((TextMessage) message.message()).getText());
            } catch (JMSException unreadable) {
                throw new AssertionError(unreadable);
            }
        }

        @Override
        public int number() {
            return 1;
        }

        @Override
        public void ask(IntFunction<? extends RequestFrame> frame, ReplyHandler handler) {
            lastCorr++;
            open.put(lastCorr, handler);
            toServer.add(frame.apply(lastCorr));
        }

        @Override
        public void tell(Frame frame) {
            toServer.add(frame);
        }

        @Override
        public boolean up() {
            return up;
        }

        @Override
        public boolean holdsLent() {
            return up;
        }

        @Override
        public Loop loop() {
            return loop;
        }
    }
}
