package io.millrace.jms.internal.message;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Which classes of received object messages may be deserialized. Deserializing runs code of the classes that the sender chose, so
 * without configuration only values and collections of java.lang and java.util are allowed, none of which does anything but hold data.
 */
public final class TrustedClasses {
    /** The option that names more. */
    static final String OPTION = "trustedPackages";

    /** Trusts everything: for objects that this program serialized itself. */
    static final TrustedClasses ALL = new TrustedClasses(List.of("*"));

    private static final Set<String> VALUES = Set.of(
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Double",
            "java.lang.Enum",
            "java.lang.Float",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Number",
            "java.lang.Object",
            "java.lang.Short",
            "java.lang.String",
            "java.util.AbstractCollection",
            "java.util.AbstractList",
            "java.util.AbstractMap",
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.Arrays$ArrayList",
            "java.util.BitSet",
            "java.util.CollSer",
            "java.util.Collections$EmptyList",
            "java.util.Collections$EmptyMap",
            "java.util.Collections$EmptySet",
            "java.util.Collections$SingletonList",
            "java.util.Collections$SingletonMap",
            "java.util.Collections$SingletonSet",
            "java.util.Collections$UnmodifiableCollection",
            "java.util.Collections$UnmodifiableList",
            "java.util.Collections$UnmodifiableMap",
            "java.util.Collections$UnmodifiableRandomAccessList",
            "java.util.Collections$UnmodifiableSet",
            "java.util.Currency",
            "java.util.Date",
            "java.util.Dictionary",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.Locale",
            "java.util.Map$Entry",
            "java.util.Properties",
            "java.util.Stack",
            "java.util.TreeMap",
            "java.util.TreeSet",
            "java.util.UUID",
            "java.util.Vector");

    private final List<String> trusted;
    private final boolean all;

    private TrustedClasses(List<String> trusted) {
        this.trusted = trusted;
        this.all = trusted.contains("*");
    }

    /**
     * Reads the option.
     *
     * @param packages names of packages, which stand for their subpackages too, or of classes, separated by commas; {@code *} for
     *     all; empty for none but the values of java.lang and java.util
     */
    public static TrustedClasses of(String packages) {
        return new TrustedClasses(Arrays.stream(packages.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList());
    }

    boolean trusts(String className) {
        return all || VALUES.contains(className) || trusted.stream().anyMatch(name -> contains(name, className));
    }

    /** True for the class itself, those nested in it, and those in the package and below. */
    private static boolean contains(String name, String className) {
        return className.startsWith(name)
                && (className.length() == name.length()
                        || className.charAt(name.length()) == '.'
                        || className.charAt(name.length()) == '$');
    }
}
