package io.millrace.wire.frame;

import java.nio.ByteBuffer;

/** Strict UTF-8 without an array in between. */
final class Utf8 {

    private Utf8() {}

    static int lengthOf(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit < 0x80) {
                bytes += 1;
            } else if (unit < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(unit)) {
                bytes += 3;
            } else {
                checkPair(text, i);
                bytes += 4;
                i++;
            }
        }
        return bytes;
    }

    static void write(String text, ByteBuffer target) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit < 0x80) {
                target.put((byte) unit);
            } else if (unit < 0x800) {
                target.put((byte) (0xC0 | (unit >> 6)));
                target.put((byte) (0x80 | (unit & 0x3F)));
            } else if (!Character.isSurrogate(unit)) {
                target.put((byte) (0xE0 | (unit >> 12)));
                target.put((byte) (0x80 | ((unit >> 6) & 0x3F)));
                target.put((byte) (0x80 | (unit & 0x3F)));
            } else {
                checkPair(text, i);
                int point = Character.toCodePoint(unit, text.charAt(i + 1));
                target.put((byte) (0xF0 | (point >> 18)));
                target.put((byte) (0x80 | ((point >> 12) & 0x3F)));
                target.put((byte) (0x80 | ((point >> 6) & 0x3F)));
                target.put((byte) (0x80 | (point & 0x3F)));
                i++;
            }
        }
    }

    private static void checkPair(String text, int index) {
        boolean pair = Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
        FieldChecks.require(pair, "string", "holds half a surrogate pair at index " + index + " and has no UTF-8 form");
    }
}
