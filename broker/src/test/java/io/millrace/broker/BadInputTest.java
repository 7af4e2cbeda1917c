package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AllocateProducerId;
import io.millrace.wire.frame.ConfigEntry;
import io.millrace.wire.frame.CreateDestination;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.DestinationsListed;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.ListDestinations;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.Prologue;
import io.millrace.wire.frame.TransferBegin;
import io.millrace.wire.frame.TransferChunk;
import io.millrace.wire.name.DestinationKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes from the network is not to be trusted: bad input ends its own connection, and nobody else notices. */
class BadInputTest {

    private final TestBroker broker = TestBroker.start();
    private final RawClient bystander = RawClient.connect(broker.port());

    @AfterEach
    void othersAreNotHarmed() {
        bystander.openSession(1, UUID.randomUUID());
        DestinationDescribed queue = bystander.describe(DestinationKind.QUEUE, "orders");
        assertThat(new RawProducer(bystander, 1, queue).send("still works").baseOffset())
                .isZero();
        bystander.close();
        broker.close();
    }

    private static byte[] ints(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE, 262_145})
    void shouldEndAConnectionWithAnImpossibleFrameLength(int length) {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.write(ints(length));

            Goodbye goodbye = client.goodbye();
            assertThat(goodbye.code()).isIn(ErrorCode.MALFORMED_FRAME, ErrorCode.FRAME_TOO_LARGE);
            assertThat(goodbye.reason()).contains(Integer.toString(length));
            RawClient.join(client.ended());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x474554_20, 0x16030100})
    void shouldCloseAConnectionThatDoesNotStartWithTheMagicNumber(int first) {
        try (RawClient client = RawClient.silent(broker.port())) {
            client.write(ints(first, 0x12345678));

            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void shouldRefuseAVersionOfTheFuture() {
        try (RawClient client = RawClient.silent(broker.port())) {
            ByteBuffer offer = ByteBuffer.allocate(Prologue.BYTES);
            new Prologue.Client(7, 9).encode(offer);
            client.write(offer.array());

            assertThat(client.readPrologue()).isEqualTo(new Prologue.Server(0, Prologue.NEWEST_VERSION));
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void shouldCloseAConnectionWithAnImpossibleRangeOfVersions() {
        try (RawClient client = RawClient.silent(broker.port())) {
            client.write(ints(Prologue.MAGIC, 0x0009_0001));

            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void shouldNotMindAConnectionThatBreaksInTheMiddleOfAFrame() {
        RawClient client = RawClient.connect(broker.port());
        client.write(ints(100, 7));

        client.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 99, 255})
    void shouldEndAConnectionWithAnUnknownFrame(int type) {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.write(new byte[] {0, 0, 0, 2, (byte) type, 1});

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.MALFORMED_FRAME);
            RawClient.join(client.ended());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 9, 10, 53, 70})
    void shouldEndAConnectionThatSendsTheFramesOfAServer(int type) {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.write(new byte[] {0, 0, 0, 1, (byte) type});

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.MALFORMED_FRAME);
        }
    }

    @Test
    void shouldEndAConnectionWithBytesAfterTheFieldsOfAFrame() {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.write(new byte[] {0, 0, 0, 6, 50, 0, 0, 0, 1, 77});

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.MALFORMED_FRAME);
        }
    }

    @Test
    void shouldEndAConnectionThatAsksBeforeItIsLoggedIn() {
        try (RawClient client = RawClient.silent(broker.port())) {
            client.prologue();
            client.send(new AllocateProducerId(1));

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        }
    }

    @Test
    void shouldEndAConnectionThatSaysHelloTwice() {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.send(new Hello(UUID.randomUUID(), "again", "1"));

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        }
    }

    @Test
    void shouldRefuseLoginsThatItCannotCheck() {
        try (RawClient client = RawClient.silent(broker.port())) {
            client.prologue();
            client.hello();
            client.expectAnswer(0);
            client.send(new Login("PLAIN", ByteBuffer.wrap("\0guest\0guest".getBytes(StandardCharsets.UTF_8))));

            assertThat(client.expected(0))
                    .isInstanceOfSatisfying(
                            Failure.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED));
            RawClient.join(client.ended());
        }
    }

    @Test
    void shouldEndAConnectionWithATransferAboveTheLimit() {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.send(new TransferBegin(1, Integer.MAX_VALUE));

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.FRAME_TOO_LARGE);
        }
    }

    @Test
    void shouldEndAConnectionWithAChunkOfNoTransfer() {
        try (RawClient client = RawClient.connect(broker.port())) {
            client.send(new TransferChunk(1, ByteBuffer.allocate(10)));

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.MALFORMED_FRAME);
        }
    }

    @Test
    void shouldEndAConnectionWhoseTransferHoldsNoFrame() {
        try (RawClient client = RawClient.connect(broker.port())) {
            RawClient.join(client.beginTransfer(1, 300_000));
            client.send(new TransferChunk(1, ByteBuffer.allocate(200_000)));
            client.send(new TransferChunk(1, ByteBuffer.allocate(100_000)));

            assertThat(client.goodbye().code()).isEqualTo(ErrorCode.MALFORMED_FRAME);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../../etc/passwd", "a/../b", "nul\0l", "line\nbreak", "__cluster_metadata"})
    void shouldRefuseNamesThatNoDestinationCanHave(String name) {
        refuse(name);
    }

    @Test
    void shouldRefuseANameOf250Characters() {
        refuse("x".repeat(250));
    }

    private void refuse(String name) {
        Failure failure = bystander.failure(
                corr -> new DescribeDestination(corr, Optional.of(DestinationKind.QUEUE), name, true));

        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_DESTINATION);
        assertThat(bystander
                        .request(DestinationsListed.class, corr -> new ListDestinations(corr, Optional.empty()))
                        .destinations())
                .isEmpty();
    }

    @Test
    void shouldRefuseUnknownAndWrongSettingsOfADestination() {
        Failure unknown = bystander.failure(corr -> new CreateDestination(
                corr, DestinationKind.QUEUE, "q", 1, List.of(new ConfigEntry("retention.mss", "1"))));
        Failure wrong = bystander.failure(corr -> new CreateDestination(
                corr, DestinationKind.QUEUE, "q", 1, List.of(new ConfigEntry("retention.ms", "soon"))));
        Failure partitions = bystander.failure(
                corr -> new CreateDestination(corr, DestinationKind.QUEUE, "q", 1_000_000, List.of()));

        assertThat(unknown.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(unknown.message()).contains("retention.mss").contains("did you mean");
        assertThat(wrong.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(partitions.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
    }
}
