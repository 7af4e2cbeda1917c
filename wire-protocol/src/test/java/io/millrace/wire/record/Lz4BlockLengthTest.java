package io.millrace.wire.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Random;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

class Lz4BlockLengthTest {
    private final Random random = new Random(11);

    @Test
    void shouldAgreeWithTheDecompressor() throws IOException {
        for (int round = 0; round < 2_000; round++) {
            byte[] raw = raw();
            byte[] block = LZ4Factory.fastestInstance().fastCompressor().compress(raw);

            assertThat(Lz4BlockLength.of(block, 0, block.length, 100_000)).isEqualTo(raw.length);
        }
    }

    @Test
    void shouldRefuseABlockThatEndsWithinASequence() {
        int[][] blocks = {{}, {0x10}, {0xf0}, {0xf0, 0xff}, {0x10, 'a', 1}, {0x1f, 'a', 1, 0}, {0x1f, 'a', 1, 0, 0xff}};
        for (int[] block : blocks) {
            byte[] bytes = new byte[block.length];
            for (int i = 0; i < block.length; i++) {
                bytes[i] = (byte) block[i];
            }
            assertThatThrownBy(() -> Lz4BlockLength.of(bytes, 0, bytes.length, 100_000))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ends within");
        }
    }

    @Test
    void shouldRefuseABlockLongerThanBlocksMayBe() {
        byte[] block = LZ4Factory.fastestInstance().fastCompressor().compress(new byte[1_000]);

        assertThatThrownBy(() -> Lz4BlockLength.of(block, 0, block.length, 999))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("1000 bytes");
    }

    private byte[] raw() {
        byte[] raw = new byte[1 + random.nextInt(50_000)];
        int at = 0;
        while (at < raw.length) {
            int run = Math.min(raw.length - at, 1 + random.nextInt(3_000));
            if (random.nextBoolean()) {
                for (int i = 0; i < run; i++) {
                    raw[at + i] = (byte) random.nextInt();
                }
            }
            at += run;
        }
        return raw;
    }
}
