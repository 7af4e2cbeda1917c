package io.millrace.coordinator.selector;

import java.util.Arrays;

/**
 * A pattern of LIKE (Jakarta Messaging 3.8.1.1): {@code _} stands for any character, {@code %} for any number of them.
 *
 * <p>Matching goes from the left and, where it fails, goes back to the last {@code %} only, since what an earlier one stood for makes no
 * difference any more. So it takes at most as many steps as the product of both lengths.
 */
final class LikePattern {

    private static final int ANY_ONE = -1;
    private static final int ANY_NUMBER = -2;

    private final int[] parts;

    private LikePattern(int[] parts) {
        this.parts = parts;
    }

    /**
     * Understands a pattern.
     *
     * @param escape in front of a character it makes that stand for itself; -1 for none
     * @throws IllegalArgumentException if nothing follows the last escape character
     */
    static LikePattern of(String pattern, int escape) {
        int[] characters = pattern.codePoints().toArray();
        int[] parts = new int[characters.length];
        int count = 0;
        for (int i = 0; i < characters.length; i++) {
            if (characters[i] == escape) {
                i++;
                if (i == characters.length) {
                    throw new IllegalArgumentException("nothing follows the escape character");
                }
                parts[count++] = characters[i];
            } else if (characters[i] == '_') {
                parts[count++] = ANY_ONE;
            } else if (characters[i] != '%') {
                parts[count++] = characters[i];
            } else if (count == 0 || parts[count - 1] != ANY_NUMBER) {
                parts[count++] = ANY_NUMBER;
            }
        }
        return new LikePattern(Arrays.copyOf(parts, count));
    }

    boolean matches(String text) {
        int part = 0;
        int at = 0;
        int partAfterAny = -1;
        int anyEndsAt = 0;
        while (at < text.length()) {
            if (part < parts.length && parts[part] == ANY_NUMBER) {
                part++;
                partAfterAny = part;
                anyEndsAt = at;
            } else if (part < parts.length && fits(parts[part], text.codePointAt(at))) {
                part++;
                at += Character.charCount(text.codePointAt(at));
            } else if (partAfterAny >= 0) {
                anyEndsAt += Character.charCount(text.codePointAt(anyEndsAt));
                part = partAfterAny;
                at = anyEndsAt;
            } else {
                return false;
            }
        }
        while (part < parts.length && parts[part] == ANY_NUMBER) {
            part++;
        }
        return part == parts.length;
    }

    private static boolean fits(int part, int character) {
        return part == ANY_ONE || part == character;
    }
}
