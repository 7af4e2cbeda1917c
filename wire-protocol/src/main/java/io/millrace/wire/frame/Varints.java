package io.millrace.wire.frame;

import java.nio.ByteBuffer;

/** The protocol's variable-length integers: unsigned, 0 to 2^31-1, seven bits a byte with the lowest first, in the fewest bytes possible. */
final class Varints {

    static final int MAX_BYTES = 5;

    private Varints() {}

    static int sizeOf(int value) {
        FieldChecks.atLeast(0, value, "varint");
        int significantBits = Integer.SIZE - Integer.numberOfLeadingZeros(value | 1);
        return (significantBits + 6) / 7;
    }

    static void write(int value, ByteBuffer target) {
        FieldChecks.atLeast(0, value, "varint");
        int rest = value;
        while (rest > 0x7F) {
            target.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        target.put((byte) rest);
    }
}
