package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawProducer;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.name.DestinationKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A jump of the wall clock touches timestamps, and neither who holds what nor the order. */
class ClockJumpTest {

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void shouldKeepSessionsAcquisitionsAndOrderWhenTheClockJumpsByAnHour(long direction) {
        FakeTimeSource time = new FakeTimeSource();
        UUID client = UUID.randomUUID();
        UUID session = UUID.randomUUID();
        try (TestBroker broker = TestBroker.start(time)) {
            RawClient before = RawClient.connect(broker.port(), client);
            before.openSession(1, session);
            DestinationDescribed queue = before.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(before, 1, queue);
            ByteBuffer first = producer.batch(0, "a", "b");
            before.request(SendOk.class, corr -> producer.frame(corr, SendAnswer.REPLICATED, first.duplicate()));
            RawConsumer consumer = RawConsumer.onQueue(before, 1, 1, queue, 10);
            List<RawConsumer.Message> held = consumer.receive(2);

            time.jumpWallClockMs(direction * TimeUnit.HOURS.toMillis(1));
            // Connections and sessions are looked after a few times.
            time.advanceMs(2_000);

            SendOk repeated = before.request(
                    SendOk.class, corr -> producer.frame(corr, SendAnswer.REPLICATED, first.duplicate()));
            assertThat(repeated.baseOffset()).as("known as a repetition").isZero();
            before.die();
            RawClient after = RawClient.connect(broker.port(), client);
            assertThat(after.openSession(1, session))
                    .as("resumed within the grace")
                    .isTrue();
            RawProducer other = new RawProducer(after, 1, queue);
            assertThat(other.send("c").baseOffset()).isEqualTo(2);
            RawClient stranger = RawClient.connect(broker.port());
            stranger.openSession(1, UUID.randomUUID());
            RawConsumer rival = RawConsumer.onQueue(stranger, 1, 1, queue, 10);

            assertThat(rival.receive(1))
                    .as("what is held stays held")
                    .extracting(RawConsumer.Message::text)
                    .containsExactly("c");
            assertThat(held).extracting(RawConsumer.Message::text).containsExactly("a", "b");
            assertThat(rival.pull()).isFalse();
            stranger.close();
            after.close();
        }
    }
}
