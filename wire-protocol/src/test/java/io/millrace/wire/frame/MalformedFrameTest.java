package io.millrace.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.wire.frame.FieldPositions.Field;
import io.millrace.wire.frame.FieldPositions.Kind;
import io.millrace.wire.frame.SampleFrames.Sample;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Spoils each field of each frame in the ways that its kind can be spoiled. */
class MalformedFrameTest {

    private static final byte[] OVERLONG_ZERO = {(byte) 0x80, 0};
    private static final byte[] LARGEST_VARINT = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07};
    private static final byte[] TWO_TO_THE_31 = {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x08};
    private static final byte[] MINUS_ONE = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F};
    private static final byte[] SIX_BYTES = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x01};

    static List<Sample> samples() {
        return SampleFrames.all();
    }

    @Test
    void shouldMeetEveryKindOfField() {
        Set<Kind> kinds = samples().stream()
                .flatMap(sample -> FieldPositions.of(sample.frame()).stream())
                .map(Field::kind)
                .collect(Collectors.toSet());

        assertThat(kinds).containsExactlyInAnyOrder(Kind.values());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseBoolsOtherThanZeroAndOne(Sample sample) {
        forEach(sample, Kind.BOOL, field -> {
            expectRefused(sample, replaced(sample, field, new byte[] {2}), "a bool must be 0 or 1, is 2");
            expectRefused(sample, replaced(sample, field, new byte[] {-1}), "a bool must be 0 or 1, is 255");
        });
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseUnknownValuesOfEnums(Sample sample) {
        forEach(sample, Kind.ENUM, field -> expectRefused(sample, replaced(sample, field, new byte[] {99}), "99"));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseVarintsThatCouldBeShorter(Sample sample) {
        for (Kind kind : List.of(Kind.LENGTH, Kind.COUNT)) {
            forEach(
                    sample,
                    kind,
                    field -> expectRefused(
                            sample, replaced(sample, field, OVERLONG_ZERO), "varint of 2 bytes could be shorter"));
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseVarintsOutOfRange(Sample sample) {
        for (Kind kind : List.of(Kind.LENGTH, Kind.COUNT)) {
            forEach(sample, kind, field -> {
                expectRefused(sample, replaced(sample, field, TWO_TO_THE_31), "must be at most 2147483647");
                expectRefused(sample, replaced(sample, field, MINUS_ONE), "must be at most 2147483647, is 4294967295");
                expectRefused(sample, replaced(sample, field, SIX_BYTES), "longer than 5 bytes");
            });
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseCountsAboveWhatIsThere(Sample sample) {
        forEach(
                sample,
                Kind.COUNT,
                field -> expectRefused(
                        sample, replaced(sample, field, LARGEST_VARINT), "says 2147483647 items of at least"));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldRefuseTextThatIsNotUtf8(Sample sample) {
        forEach(sample, Kind.TEXT, field -> {
            byte[] text = Arrays.copyOfRange(content(sample.frame()), field.index(), field.index() + field.size());
            text[0] = (byte) 0xC0; // begins an overlong form
            expectRefused(sample, replaced(sample, field, text), "is not UTF-8");
            text[0] = (byte) 0xFF;
            expectRefused(sample, replaced(sample, field, text), "is not UTF-8");
        });
    }

    @Test
    void shouldRefuseASurrogateInUtf8() {
        byte[] content = content(new ClaimClientId(1, "abc"));
        content[content.length - 3] = (byte) 0xED;
        content[content.length - 2] = (byte) 0xA0;
        content[content.length - 1] = (byte) 0x80;

        assertThatThrownBy(() -> FrameCodec.decode(ByteBuffer.wrap(content), Peer.CLIENT))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("CLAIM_CLIENT_ID frame, field clientId: is not UTF-8");
    }

    @Test
    void shouldNotWriteAStringThatHasNoUtf8() {
        assertThatThrownBy(() -> FrameCodec.sizeOf(new ClaimClientId(1, "a\uD800b")))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessageContaining("half a surrogate pair at index 1");
    }

    @Test
    void shouldSayWhichFieldIsOutOfRange() {
        byte[] content = content(new CloseSession(12, 3));
        ByteBuffer.wrap(content).putInt(5, -1);

        assertThatThrownBy(() -> FrameCodec.decode(ByteBuffer.wrap(content), Peer.CLIENT))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("CLOSE_SESSION frame, field session: must be at least 1, is -1");
    }

    @Test
    void shouldRefuseEntriesThatDoNotAscend() {
        assertThatThrownBy(() -> DeliveryEntries.of(new int[] {3, 3}, new int[] {1, 1}))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessage("field offsetDelta: must be at least 4, is 3");
        assertThatThrownBy(() -> DeliveryEntries.of(new int[] {3}, new int[] {0}))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessage("field deliveryCount: must be at least 1, is 0");
        assertThatThrownBy(() -> DeliveryEntries.of(new int[] {}, new int[] {}))
                .isInstanceOf(InvalidFieldException.class);
        assertThatThrownBy(() -> DeliveryEntries.of(new int[] {1}, new int[] {1, 1}))
                .isInstanceOf(InvalidFieldException.class);
    }

    @Test
    void shouldRefuseARangeBeyondTheLargestOffset() {
        assertThat(new OffsetRange(Long.MAX_VALUE - 5, 5).count()).isEqualTo(5);
        assertThatThrownBy(() -> new OffsetRange(Long.MAX_VALUE - 4, 5)).isInstanceOf(InvalidFieldException.class);
    }

    @Test
    void shouldBoundTheIdOfATransaction() {
        String longest = "x".repeat(TransactionSummary.MAX_ID_CHARS);
        assertThat(new DescribeTransaction(1, longest).id()).hasSize(32_767);
        assertThatThrownBy(() -> new DescribeTransaction(1, longest + "x"))
                .isInstanceOf(InvalidFieldException.class)
                .hasMessage("field id: must have at most 32767 characters, has 32768");
        assertThatThrownBy(() -> new DecideTransaction(1, longest + "x", TransactionDecision.COMMIT))
                .isInstanceOf(InvalidFieldException.class);
    }

    private interface FieldCheck {
        void check(Field field);
    }

    private static void forEach(Sample sample, Kind kind, FieldCheck check) {
        FieldPositions.of(sample.frame()).stream()
                .filter(field -> field.kind() == kind)
                .forEach(check::check);
    }

    private static void expectRefused(Sample sample, byte[] content, String why) {
        assertThatThrownBy(() -> FrameCodec.decode(
                        ByteBuffer.wrap(content),
                        sample.frame().type().sentBy(Peer.CLIENT) ? Peer.CLIENT : Peer.SERVER))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining(sample.frame().type() + " frame, field ")
                .hasMessageContaining(why);
    }

    private static byte[] replaced(Sample sample, Field field, byte[] bytes) {
        byte[] content = content(sample.frame());
        int end = field.index() + field.size();
        ByteBuffer changed = ByteBuffer.allocate(content.length - field.size() + bytes.length);
        changed.put(content, 0, field.index()).put(bytes).put(content, end, content.length - end);
        return changed.array();
    }

    private static byte[] content(Frame frame) {
        ByteBuffer whole = FrameCodecTest.encoded(frame);
        byte[] content = new byte[whole.getInt()];
        whole.get(content);
        return content;
    }
}
