package io.millrace.wire.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class Crc32cTest {
    private static final long OF_DIGITS = 0xE3069283L;

    @Test
    void shouldComputeTheCheckValueOfTheAlgorithmInAnyKindOfBuffer() {
        ByteBuffer heap = ByteBuffer.wrap(TestBytes.utf8("ab123456789yz"));
        ByteBuffer direct = ByteBuffer.allocateDirect(13).put(heap.duplicate()).flip();

        for (ByteBuffer buffer : List.of(heap, direct, heap.asReadOnlyBuffer())) {
            assertThat(Crc32c.of(buffer, 2, 9)).isEqualTo(OF_DIGITS);
            assertThat(buffer.position()).isZero();
        }
        assertThat(Crc32c.of(heap.slice(1, 11), 1, 9)).isEqualTo(OF_DIGITS);
    }

    @Test
    void shouldRefuseARangeBeyondTheLimit() {
        ByteBuffer buffer = ByteBuffer.allocate(10).limit(5);

        assertThatThrownBy(() -> Crc32c.of(buffer, 1, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
