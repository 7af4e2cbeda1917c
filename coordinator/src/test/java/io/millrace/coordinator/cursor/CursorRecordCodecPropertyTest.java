package io.millrace.coordinator.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CursorRecordCodecPropertyTest {

    @Provide
    Arbitrary<CursorRecord> records() {
        return CursorRecordArbitraries.records();
    }

    @Property(tries = 2_000)
    void shouldReadWhatItWrote(@ForAll("records") CursorRecord record) {
        assertThat(decode(CursorRecordCodec.encodeKey(record), CursorRecordCodec.encodeValue(record)))
                .isEqualTo(record);
    }

    @Property(tries = 2_000)
    void shouldRefuseAnyPartOfARecord(@ForAll("records") CursorRecord record, @ForAll @IntRange(max = 200) int cut) {
        byte[] key = CursorRecordCodec.encodeKey(record);
        byte[] value = CursorRecordCodec.encodeValue(record);

        assertThatThrownBy(() -> decode(key, Arrays.copyOf(value, cut % value.length)))
                .isInstanceOf(MalformedCursorRecordException.class);
        assertThatThrownBy(() -> decode(Arrays.copyOf(key, cut % key.length), value))
                .isInstanceOf(MalformedCursorRecordException.class);
        assertThatThrownBy(() -> decode(key, Arrays.copyOf(value, value.length + 1)))
                .isInstanceOf(MalformedCursorRecordException.class);
    }

    /** There is one way to write a record: what can be read at all is written again with the same bytes. */
    @Property(tries = 5_000)
    void shouldRefuseDamagedBytesOrReadAnotherWellFormedRecord(
            @ForAll("records") CursorRecord record, @ForAll @IntRange(max = 1_000) int place, @ForAll byte change) {
        byte[] key = CursorRecordCodec.encodeKey(record);
        byte[] value = CursorRecordCodec.encodeValue(record);
        value[place % value.length] ^= change;

        requireRefusedOrCanonical(key, value);
    }

    @Property(tries = 5_000)
    void shouldRefuseNoiseOrReadAWellFormedRecord(
            @ForAll @IntRange(min = 1, max = 10) int kind, @ForAll @Size(max = 40) List<Byte> noise) {
        byte[] key = kind == 7 || kind == 8 || kind == 10 ? new byte[1] : new byte[17];
        key[0] = (byte) kind;
        byte[] value = new byte[noise.size() + 1];
        value[0] = 1;
        for (int i = 0; i < noise.size(); i++) {
            value[i + 1] = noise.get(i);
        }

        requireRefusedOrCanonical(key, value);
    }

    private static void requireRefusedOrCanonical(byte[] key, byte[] value) {
        CursorRecord read;
        try {
            read = decode(key, value);
        } catch (MalformedCursorRecordException e) {
            return;
        }
        assertThat(CursorRecordCodec.encodeKey(read)).isEqualTo(key);
        assertThat(CursorRecordCodec.encodeValue(read)).isEqualTo(value);
    }

    private static CursorRecord decode(byte[] key, byte[] value) {
        return CursorRecordCodec.decode(ByteBuffer.wrap(key), ByteBuffer.wrap(value));
    }
}
