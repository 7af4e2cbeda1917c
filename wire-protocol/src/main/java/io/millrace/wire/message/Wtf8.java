package io.millrace.wire.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.Nullable;

/**
 * Strings as bytes: UTF-8, extended so that every Java string survives. Half a surrogate pair, which is no character and has no
 * UTF-8, is written as the three bytes that its number would have (ED A0..BF 80..BF), known as WTF-8. Text without such halves is
 * plain UTF-8; a reader that knows only UTF-8 shows replacement characters in their place.
 */
final class Wtf8 {
    private static final char REPLACEMENT = '\uFFFD';

    private Wtf8() {}

    static byte[] encode(String text) {
        return hasLoneSurrogate(text) ? encodeWithLoneSurrogates(text) : text.getBytes(UTF_8);
    }

    /** Returns the text, or {@code null} if {@code bytes} are no WTF-8. Moves no position. */
    static @Nullable String tryDecode(ByteBuffer bytes) {
        String text = decodeLeniently(bytes);
        // The JDK's decoder is by far the fastest, but tells of trouble only by U+FFFD, which the text may also contain
        // by itself.
        return text.indexOf(REPLACEMENT) < 0 ? text : decodeStrictly(bytes.duplicate(), true);
    }

    /** Returns the text, or {@code null} if {@code bytes} are not valid UTF-8 (so lone surrogates are refused too). */
    static @Nullable String tryDecodeUtf8(ByteBuffer bytes) {
        String text = decodeLeniently(bytes);
        return text.indexOf(REPLACEMENT) < 0 ? text : decodeStrictly(bytes.duplicate(), false);
    }

    /** Returns the text, with U+FFFD in place of what is no WTF-8. */
    static String decodeOrReplace(ByteBuffer bytes) {
        String text = tryDecode(bytes);
        return text != null ? text : decodeLeniently(bytes);
    }

    private static String decodeLeniently(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            return new String(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining(), UTF_8);
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return new String(copy, UTF_8);
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (Character.charCount(text.codePointAt(i)) == 1) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static byte[] encodeWithLoneSurrogates(String text) {
        BinaryWriter out = new BinaryWriter(text.length() + 16);
        int from = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                out.bytes(text.substring(from, i).getBytes(UTF_8));
                out.u8(0xE0 | (point >> 12));
                out.u8(0x80 | ((point >> 6) & 0x3F));
                out.u8(0x80 | (point & 0x3F));
                from = i + 1;
            }
            i += Character.charCount(point);
        }
        out.bytes(text.substring(from).getBytes(UTF_8));
        return out.toByteArray();
    }

    private static @Nullable String decodeStrictly(ByteBuffer bytes, boolean loneSurrogates) {
        StringBuilder text = new StringBuilder(bytes.remaining());
        int start = bytes.position();
        int end = bytes.limit();
        for (int i = start; i < end; ) {
            if (isEncodedSurrogate(bytes, i, end)) {
                char surrogate = (char) (0xD000 | ((bytes.get(i + 1) & 0x3F) << 6) | (bytes.get(i + 2) & 0x3F));
                if (!loneSurrogates
                        || !appendUtf8(bytes, start, i, text)
                        || completesPair(text, start == i, surrogate)) {
                    return null;
                }
                text.append(surrogate);
                i += 3;
                start = i;
            } else {
                i++;
            }
        }
        return appendUtf8(bytes, start, end, text) ? text.toString() : null;
    }

    private static boolean isEncodedSurrogate(ByteBuffer bytes, int at, int end) {
        return bytes.get(at) == (byte) 0xED
                && at + 2 < end
                && (bytes.get(at + 1) & 0xE0) == 0xA0
                && (bytes.get(at + 2) & 0xC0) == 0x80;
    }

    /** A pair has four bytes, or else one text would have two codings. {@code adjacent}: the text so far ends right before. */
    private static boolean completesPair(StringBuilder text, boolean adjacent, char surrogate) {
        return adjacent
                && !text.isEmpty()
                && Character.isLowSurrogate(surrogate)
                && Character.isHighSurrogate(text.charAt(text.length() - 1));
    }

    private static boolean appendUtf8(ByteBuffer bytes, int from, int to, StringBuilder text) {
        try {
            CharBuffer chars = UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(bytes.slice(from, to - from));
            text.append(chars);
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }
}
