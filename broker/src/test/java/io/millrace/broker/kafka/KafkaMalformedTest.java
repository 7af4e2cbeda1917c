package io.millrace.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests of every kind and version, filled to the last field, whole and in pieces; a client beside them notices nothing. */
class KafkaMalformedTest {

    /** A length that compact and plain forms of fields both take for far more than there is. */
    private static final byte[] HUGE_VARINT = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07};

    private static final short FLEXIBLE_HEADER = 2;

    private static final byte[] HUGE_INT = {0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff};

    private static EmbeddedBroker broker;
    private static EmbeddedBroker guarded;
    private static KafkaProducer<String, String> bystander;

    @BeforeAll
    static void startBrokers() throws Exception {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("authorizer.enabled", "true")
                .config("allow.everyone.if.no.acl.found", "true")
                .start();
        guarded = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0")
                .config("sasl.enabled.mechanisms", "PLAIN")
                .start();
        bystander = KafkaClients.producer(broker, Map.of("linger.ms", 0));
        bystander.send(new ProducerRecord<>("healthy", "first")).get();
    }

    @AfterAll
    static void stopBrokers() {
        bystander.close();
        broker.close();
        guarded.close();
    }

    @AfterEach
    void othersAreNotHarmed() throws Exception {
        assertThat(bystander
                        .send(new ProducerRecord<>("healthy", "still works"))
                        .get()
                        .offset())
                .isPositive();
    }

    static Stream<ApiKeys> offered() {
        try (RawKafka raw = new RawKafka(broker.port())) {
            ApiVersionsResponse answer = (ApiVersionsResponse) raw.ask(
                    ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0));
            return answer.data().apiKeys().stream().map(key -> ApiKeys.forId(key.apiKey())).toList().stream();
        }
    }

    /** All that Kafka's classes can still write, offered here or not. */
    static Stream<ApiKeys> known() {
        return Arrays.stream(ApiKeys.values()).filter(key -> key.oldestVersion() <= key.latestVersion());
    }

    private static byte[] framed(ByteBuffer content) {
        byte[] frame = new byte[4 + content.remaining()];
        ByteBuffer.wrap(frame).putInt(content.remaining()).put(content.duplicate());
        return frame;
    }

    private static List<Short> versions(ApiKeys key) {
        List<Short> versions = new ArrayList<>();
        for (short version = key.oldestVersion(); version <= key.latestVersion(false); version++) {
            versions.add(version);
        }
        return versions;
    }

    @ParameterizedTest
    @MethodSource("offered")
    void shouldCloseWhoseRequestEndsBehindAnyOfItsFields(ApiKeys key) {
        for (short version : versions(key)) {
            ByteBuffer header = FilledRequests.header(key, version, 1);
            ByteBuffer body = new FilledRequests("t", 1).body(key, version);
            for (int end : FilledRequests.boundaries(key, version, body)) {
                ByteBuffer cut = ByteBuffer.allocate(header.remaining() + end)
                        .put(header.duplicate())
                        .put(body.duplicate().limit(end))
                        .flip();
                try (RawKafka raw = new RawKafka(broker.port())) {
                    raw.sendBytes(framed(cut));
                    assertThat(raw.answerOrEnd())
                            .as("%s %d cut behind byte %d of %d", key, version, end, body.remaining())
                            .isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("offered")
    void shouldCloseWhoseHeaderIsNotWhole(ApiKeys key) {
        for (short version : new short[] {key.oldestVersion(), key.latestVersion(false)}) {
            ByteBuffer header = FilledRequests.header(key, version, 1);
            for (int end = 0; end < header.remaining(); end++) {
                try (RawKafka raw = new RawKafka(broker.port())) {
                    raw.sendBytes(framed(header.duplicate().limit(end)));
                    assertThat(raw.answerOrEnd())
                            .as("%s %d cut behind byte %d of its header", key, version, end)
                            .isEmpty();
                }
            }
        }
    }

    /** At the place of every field a length of two thousand million: nothing of that size is made. */
    @ParameterizedTest
    @MethodSource("offered")
    void shouldSurviveHugeCountsAtTheirPlaceAndDeepInside(ApiKeys key) {
        for (short version : new short[] {key.oldestVersion(), key.latestVersion(false)}) {
            ByteBuffer header = FilledRequests.header(key, version, 1);
            ByteBuffer body = new FilledRequests("t", 1).body(key, version);
            for (int end : FilledRequests.boundaries(key, version, body)) {
                for (byte[] huge : List.of(HUGE_VARINT, HUGE_INT)) {
                    ByteBuffer hostile = ByteBuffer.allocate(header.remaining() + end + huge.length + 16)
                            .put(header.duplicate())
                            .put(body.duplicate().limit(end))
                            .put(huge)
                            .put(new byte[16])
                            .flip();
                    try (RawKafka raw = new RawKafka(broker.port())) {
                        raw.sendBytes(framed(hostile));
                        raw.shutDownOutput();
                        assertThat(raw.isClosedByPeer())
                                .as("%s %d with a huge count behind byte %d", key, version, end)
                                .isTrue();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseWhoAsksInAVersionThatIsNotServed(ApiKeys key) {
        for (short version : new short[] {
            Short.MIN_VALUE,
            -1,
            (short) (key.oldestVersion() - 1),
            (short) (key.latestVersion(false) + 1),
            (short) (key.latestVersion() + 1),
            Short.MAX_VALUE
        }) {
            ByteBuffer request = ByteBuffer.allocate(32)
                    .putShort(key.id)
                    .putShort(version)
                    .putInt(7)
                    .putShort((short) -1)
                    .rewind();
            try (RawKafka raw = new RawKafka(broker.port())) {
                raw.sendBytes(framed(request));
                Optional<ByteBuffer> answer = raw.answerOrEnd();
                if (key == ApiKeys.API_VERSIONS) {
                    assertThat(answer).as("%s %d", key, version).hasValueSatisfying(frame -> {
                        assertThat(frame.getInt()).isEqualTo(7);
                        assertThat(frame.getShort()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
                    });
                } else {
                    assertThat(answer).as("%s %d", key, version).isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("known")
    void shouldCloseWhoAsksBeforeItLoggedIn(ApiKeys key) {
        for (short version : new short[] {key.oldestVersion(), key.latestVersion(false)}) {
            boolean free = key == ApiKeys.API_VERSIONS || key == ApiKeys.SASL_HANDSHAKE;
            try (RawKafka raw = new RawKafka(guarded.port())) {
                raw.sendBytes(framed(new FilledRequests("t", 1).request(key, version, 1)));
                // An answer to SaslAuthenticate would need a handshake before it.
                assertThat(raw.answerOrEnd().isPresent())
                        .as("%s %d", key, version)
                        .isEqualTo(free);
            }
        }
    }

    /** Requests without sense, which are requests: answered, and not by "the server has a fault". */
    @ParameterizedTest
    @MethodSource("offered")
    void shouldAnswerFilledRequests(ApiKeys key) {
        assertAnswers(key, new FilledRequests("filled", 1));
    }

    @ParameterizedTest
    @MethodSource("offered")
    void shouldAnswerRequestsInWhichEverythingIsSaidTwice(ApiKeys key) {
        assertAnswers(key, new FilledRequests("double", 2));
    }

    /** Ids of groups, members, clients and transactions, names, metadata: of the longest that a text may be. */
    @ParameterizedTest
    @MethodSource("offered")
    void shouldAnswerRequestsWithTextOf32KiBInEveryField(ApiKeys key) {
        assertAnswers(key, new FilledRequests("x".repeat(Short.MAX_VALUE), 1));
    }

    /** What is text may not have 64 KiB, though the length of newer versions could say it; what is bytes may. */
    @ParameterizedTest
    @MethodSource("offered")
    void shouldEndOrAnswerRequestsWithTextOf64KiB(ApiKeys key) {
        short version = key.latestVersion(false);
        if (key.requestHeaderVersion(version) < FLEXIBLE_HEADER) {
            return;
        }
        String mark = "<place of a text>";
        byte[] body = new FilledRequests(mark, 1).body(key, version).array();
        byte[] marked = ("\u0012" + mark).getBytes(StandardCharsets.ISO_8859_1);
        int places = 0;
        for (int at = indexOf(body, marked, 0); at >= 0; at = indexOf(body, marked, at + 1)) {
            places++;
            ByteBuffer header = FilledRequests.header(key, version, 1);
            ByteBuffer hostile = ByteBuffer.allocate(header.remaining() + body.length + 70_000)
                    .put(header)
                    .put(body, 0, at)
                    // The length and one, as a variable-length number: 65,537.
                    .put(new byte[] {(byte) 0x81, (byte) 0x80, 0x04})
                    .put("x".repeat(65_536).getBytes(StandardCharsets.US_ASCII))
                    .put(body, at + marked.length, body.length - at - marked.length)
                    .flip();
            try (RawKafka raw = new RawKafka(broker.port())) {
                raw.sendBytes(framed(hostile));
                raw.answerOrEnd()
                        .ifPresent(answer -> assertThat(AbstractResponse.parseResponse(
                                                answer, new RequestHeader(key, version, "filled", 1))
                                        .errorCounts())
                                .as("%s with 64 KiB at %s", key, body.length)
                                .doesNotContainKey(Errors.UNKNOWN_SERVER_ERROR));
            }
        }
        assertThat(places).isLessThan(100);
    }

    private static int indexOf(byte[] in, byte[] what, int from) {
        for (int at = from; at <= in.length - what.length; at++) {
            if (Arrays.equals(in, at, at + what.length, what, 0, what.length)) {
                return at;
            }
        }
        return -1;
    }

    private static void assertAnswers(ApiKeys key, FilledRequests requests) {
        for (short version : versions(key)) {
            try (RawKafka raw = new RawKafka(broker.port())) {
                raw.sendBytes(framed(requests.request(key, version, 3)));
                Optional<ByteBuffer> answer = raw.answerOrEnd();
                assertThat(answer).as("%s %d", key, version).isPresent();
                AbstractResponse response = AbstractResponse.parseResponse(
                        answer.orElseThrow(), new RequestHeader(key, version, "filled", 3));
                assertThat(errors(response))
                        .as("%s %d: %s", key, version, brief(response))
                        .doesNotContainKey(Errors.UNKNOWN_SERVER_ERROR);
            }
        }
    }

    private static Map<Errors, Integer> errors(AbstractResponse response) {
        try {
            return response.errorCounts();
        } catch (IllegalStateException toldTwice) {
            // Kafka's own class cannot count an answer that tells twice of the same thing.
            assertThat(toldTwice).hasMessageContaining("Duplicate key");
            return Map.of();
        }
    }

    private static String brief(AbstractResponse response) {
        String text = response.toString();
        return text.substring(0, Math.min(text.length(), 500));
    }
}
