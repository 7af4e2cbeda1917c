package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.jms.internal.transport.Loop;
import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** A thread that receives while another one closes the connection. */
class ReceiverTest {

    private final FeedHarness harness = new FeedHarness();

    @Test
    void shouldFindNothingWhenTheLoopHasEnded() throws JMSException, InterruptedException {
        Receiver receiver = new Receiver(new EndedLoop(), harness.openedQueue());

        assertThat(receiver.receive(0)).isEmpty();
        assertThat(receiver.receive(1_000)).isEmpty();
        assertThat(receiver.receiveNoWait()).isEmpty();
        assertThatCode(receiver::hunger).doesNotThrowAnyException();
    }

    @Test
    void shouldStillGiveWhatIsHereWhenTheLoopHasEnded() throws JMSException, InterruptedException {
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("here");
        Receiver receiver = new Receiver(new EndedLoop(), feed);

        HeldMessage message = receiver.receive(0).orElseThrow();
        assertThat(FeedHarness.text(message)).isEqualTo("here");

        receiver.putBack(message);
        assertThat(receiver.poll()).contains(message);
    }

    /** As it is after its connection was closed. */
    private static final class EndedLoop implements Loop {

        @Override
        public boolean inLoop() {
            return false;
        }

        @Override
        public void execute(Runnable task) {
            throw new RejectedExecutionException("event executor terminated");
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            throw new RejectedExecutionException("event executor terminated");
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public boolean awaitDone(CompletableFuture<?> result, long deadlineNs) {
            return result.isDone();
        }
    }
}
