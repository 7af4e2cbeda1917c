package io.millrace.broker.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.internal.destination.TransactionalQueue.Client;
import io.millrace.coordinator.transaction.Participant.Part;
import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Messages that come back rest before they are delivered again, if the queue says so. */
class RestTest {

    private static final ProducerIdentity TRANSACTION = new ProducerIdentity(7, (short) 0);

    private final TransactionalQueue queue = new TransactionalQueue(Map.of(
            "redelivery.delay.ms", "1000",
            "redelivery.delay.multiplier", "3",
            "redelivery.delay.max.ms", "5000",
            "redelivery.delay.jitter", "0"));

    @Test
    void shouldDeliverAgainByItsOwnTimerWhenTheRestIsOver() {
        Client client = queue.consumer();
        queue.send(3);
        assertThat(client.take()).isEqualTo(List.of(0L, 1L, 2L));

        client.release(0, 0);
        assertThat(client.take()).isEmpty();
        assertThat(client.pull().result()).as("is there more").isFalse();
        queue.pass(900);
        assertThat(client.take()).isEmpty();
        queue.pass(100);

        assertThat(client.got).isEqualTo(Map.of(0L, 2));
        client.release(0, 0);
        client.take();
        queue.pass(2_999);
        assertThat(client.take()).isEmpty();
        queue.pass(1);
        assertThat(client.got).isEqualTo(Map.of(0L, 3));
    }

    @Test
    void shouldWakeEachAtItsOwnTime() {
        Client client = queue.consumer();
        queue.send(2);
        client.take();
        client.release(0, 0);
        queue.pass(500);
        client.release(1, 1);
        client.take();

        queue.pass(500);
        assertThat(client.take()).isEqualTo(List.of(0L));
        queue.pass(500);
        assertThat(client.take()).isEqualTo(List.of(1L));
    }

    @Test
    void shouldRestAfterARollback() {
        Client client = queue.consumer();
        queue.send(1);
        client.take();
        client.acknowledge(TRANSACTION, 0, 0);
        queue.end(Part.CURSOR, TRANSACTION, false);

        assertThat(client.take()).isEmpty();
        queue.pass(1_000);
        assertThat(client.take()).isEqualTo(List.of(0L));
    }

    @Test
    void shouldDeliverAtOnceAfterARestart() {
        Client client = queue.consumer();
        queue.send(1);
        client.take();
        client.release(0, 0);
        queue.pass(60);

        queue.restart(false);
        Client after = queue.consumer();

        assertThat(after.got).isEqualTo(Map.of(0L, 2));
    }
}
