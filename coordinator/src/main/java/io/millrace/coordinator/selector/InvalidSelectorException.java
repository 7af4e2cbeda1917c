package io.millrace.coordinator.selector;

import io.millrace.wire.MillraceException;

/** A text is no message selector. Nothing was done; the same text is refused again. */
public final class InvalidSelectorException extends MillraceException {

    /** Of a text that comes from anywhere, only so much is repeated. */
    private static final int SHOWN_CHARACTERS = 40;

    private final int column;

    /**
     * Creates the refusal of a text.
     *
     * @param column where it is wrong: 1 for its first character
     * @param what what is wrong there
     */
    InvalidSelectorException(int column, String what) {
        super(Category.REJECTED, "column " + column + ": " + what);
        this.column = column;
    }

    static InvalidSelectorException expected(int column, String found, String expected) {
        return new InvalidSelectorException(column, "found " + shown(found) + ", expected " + expected);
    }

    /** Returns a part of a selector as messages show it. */
    static String shown(String part) {
        int length = part.codePointCount(0, part.length());
        if (length <= SHOWN_CHARACTERS) {
            return part;
        }
        return part.substring(0, part.offsetByCodePoints(0, SHOWN_CHARACTERS)) + "... (" + length + " characters)";
    }

    /** Returns where the text is wrong: 1 for its first character. */
    public int column() {
        return column;
    }
}
