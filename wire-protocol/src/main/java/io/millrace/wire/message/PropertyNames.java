package io.millrace.wire.message;

import java.util.Locale;
import java.util.Set;

/**
 * The rules for names of message properties (Jakarta Messaging 3.5.1, 3.8.1.1): identifiers of the selector language, that is
 * Java identifiers other than the reserved words, which have no case.
 */
public final class PropertyNames {
    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");
    private static final int LONGEST_RESERVED = "BETWEEN".length();

    private PropertyNames() {}

    /** Tells whether a property may have this name. */
    public static boolean isValid(String name) {
        return !name.isEmpty() && isIdentifier(name) && !isReserved(name);
    }

    /**
     * Returns {@code name} if a property may have it.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    public static String check(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the name of a property must not be empty");
        }
        if (isReserved(name)) {
            throw new IllegalArgumentException(
                    "'" + name + "' cannot be the name of a property: it is a word of the selector language");
        }
        if (!isIdentifier(name)) {
            throw new IllegalArgumentException(
                    "'" + name + "' cannot be the name of a property: a letter, '_' or '$' comes first,"
                            + " then letters, digits, '_' and '$' (a Java identifier)");
        }
        return name;
    }

    private static boolean isReserved(String name) {
        return name.length() <= LONGEST_RESERVED && RESERVED.contains(name.toUpperCase(Locale.ROOT));
    }

    private static boolean isIdentifier(String name) {
        int first = name.codePointAt(0);
        if (!Character.isJavaIdentifierStart(first)) {
            return false;
        }
        for (int i = Character.charCount(first); i < name.length(); ) {
            int next = name.codePointAt(i);
            if (!Character.isJavaIdentifierPart(next)) {
                return false;
            }
            i += Character.charCount(next);
        }
        return true;
    }
}
