package io.millrace.coordinator.selector;

import java.math.BigInteger;
import java.util.Locale;
import org.antlr.v4.runtime.Token;

/** Literals of selectors: numbers as Java writes them, strings as SQL does (Jakarta Messaging 3.8.1.1). */
final class Literals {

    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private Literals() {}

    /**
     * Reads an integer.
     *
     * @param negative whether a minus stands in front, which takes part
     * @throws InvalidSelectorException if it is beyond 64 bits, or not as Java writes it
     */
    static long integer(Token token, boolean negative) {
        String text = token.getText().toLowerCase(Locale.ROOT);
        String digits = text.endsWith("l") ? text.substring(0, text.length() - 1) : text;
        int radix = 10;
        if (digits.startsWith("0x") || digits.startsWith("0b")) {
            radix = digits.charAt(1) == 'x' ? 16 : 2;
            digits = digits.substring(2);
        } else if (digits.length() > 1 && digits.charAt(0) == '0') {
            radix = 8;
        }
        requireUnderscoresInside(token, digits);
        BigInteger value;
        try {
            value = new BigInteger(digits.replace("_", ""), radix);
        } catch (NumberFormatException e) {
            throw expectedNumber(token);
        }
        if (radix != 10 && value.bitLength() <= Long.SIZE) {
            // All bits may be given, as in Java: 0xFFFFFFFFFFFFFFFF is -1.
            long bits = value.longValue();
            return negative ? -bits : bits;
        }
        BigInteger signed = negative ? value.negate() : value;
        if (signed.compareTo(LARGEST) > 0 || signed.bitLength() > Long.SIZE - 1) {
            throw InvalidSelectorException.expected(
                    SelectorCompiler.column(token), token.getText(), "an integer within the 64 bits of a long");
        }
        return signed.longValue();
    }

    /**
     * Reads an approximate number.
     *
     * @throws InvalidSelectorException if it is beyond the range of a double, or not as Java writes it
     */
    static double approximate(Token token) {
        String text = token.getText().toLowerCase(Locale.ROOT);
        requireUnderscoresInside(token, text);
        String digits = text.replace("_", "");
        // In hexadecimal an f may be a digit, and the suffix comes behind the exponent.
        boolean single = digits.endsWith("f") && (!digits.startsWith("0x") || digits.indexOf('p') >= 0);
        double value;
        try {
            value = single ? Float.parseFloat(digits) : Double.parseDouble(digits);
        } catch (NumberFormatException e) {
            throw expectedNumber(token);
        }
        if (Double.isInfinite(value)) {
            throw InvalidSelectorException.expected(
                    SelectorCompiler.column(token),
                    token.getText(),
                    "a number within the range of a " + (single ? "float" : "double"));
        }
        return value;
    }

    private static void requireUnderscoresInside(Token token, String digits) {
        boolean inside = !digits.isEmpty() && digits.charAt(0) != '_' && digits.charAt(digits.length() - 1) != '_';
        for (int at = digits.indexOf('_'); inside && at >= 0; at = digits.indexOf('_', at + 1)) {
            inside = isDigitOrUnderscore(digits.charAt(at - 1)) && isDigitOrUnderscore(digits.charAt(at + 1));
        }
        if (!inside) {
            throw expectedNumber(token);
        }
    }

    private static boolean isDigitOrUnderscore(char character) {
        return character == '_' || Character.digit(character, 16) >= 0;
    }

    static InvalidSelectorException expectedNumber(Token token) {
        return InvalidSelectorException.expected(
                SelectorCompiler.column(token), token.getText(), "a number as Java writes it");
    }

    /** Reads a string: two quotes in it stand for one. */
    static String string(Token token) {
        String text = token.getText();
        return text.substring(1, text.length() - 1).replace("''", "'");
    }
}
