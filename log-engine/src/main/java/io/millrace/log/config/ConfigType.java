package io.millrace.log.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How the value of a key is written. {@link #parse} and {@link #format} are each other's inverse.
 *
 * @param <T> the value's type in the program
 */
public final class ConfigType<T> {
    public static final ConfigType<String> STRING =
            new ConfigType<>("string", Function.identity(), Function.identity());

    public static final ConfigType<Integer> INT = new ConfigType<>(
            "int", text -> number(text, Integer::valueOf, "a whole number below 2^31"), String::valueOf);

    public static final ConfigType<Long> LONG =
            new ConfigType<>("long", text -> number(text, Long::valueOf, "a whole number below 2^63"), String::valueOf);

    public static final ConfigType<Double> DOUBLE =
            new ConfigType<>("double", text -> number(text, Double::valueOf, "a number"), String::valueOf);

    public static final ConfigType<Boolean> BOOLEAN =
            new ConfigType<>("boolean", ConfigType::parseBoolean, String::valueOf);

    /** Words separated by commas; blanks round them do not count. */
    public static final ConfigType<List<String>> LIST =
            new ConfigType<>("list", ConfigType::parseList, words -> String.join(",", words));

    private final String name;
    private final Function<String, T> parser;
    private final Function<T, String> formatter;

    private ConfigType(String name, Function<String, T> parser, Function<T, String> formatter) {
        this.name = name;
        this.parser = parser;
        this.formatter = formatter;
    }

    /** One of the constants of an enum, in lower case with {@code -} for {@code _}. */
    public static <E extends Enum<E>> ConfigType<E> oneOf(Class<E> constants) {
        return new ConfigType<>(
                Arrays.stream(constants.getEnumConstants())
                        .map(ConfigType::word)
                        .collect(Collectors.joining(" | ")),
                text -> constant(constants, text),
                ConfigType::word);
    }

    /** One of some words, as they are written here. */
    public static <T> ConfigType<T> ofWords(Map<String, T> values) {
        Map<T, String> words =
                values.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
        return new ConfigType<>(
                values.keySet().stream().sorted().collect(Collectors.joining(" | ")),
                text -> Optional.ofNullable(values.get(text))
                        .orElseThrow(() -> new IllegalArgumentException("must be one of "
                                + values.keySet().stream().sorted().collect(Collectors.joining(", ")) + ", is \"" + text
                                + "\"")),
                value -> words.getOrDefault(value, String.valueOf(value)));
    }

    /** The type for people: {@code int}, {@code boolean}, {@code ack | os}. */
    public String name() {
        return name;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if the text is none; the message says what is expected
     */
    public T parse(String text) {
        return parser.apply(text.strip());
    }

    /** Writes a value as {@link #parse} reads it. */
    public String format(T value) {
        return formatter.apply(value);
    }

    private static <N> N number(String text, Function<String, N> parser, String expected) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be " + expected + ", is \"" + text + "\"", e);
        }
    }

    private static Boolean parseBoolean(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false, is \"" + text + "\"");
        };
    }

    private static List<String> parseList(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static <E extends Enum<E>> E constant(Class<E> constants, String text) {
        for (E constant : constants.getEnumConstants()) {
            if (word(constant).equals(text.toLowerCase(Locale.ROOT))) {
                return constant;
            }
        }
        throw new IllegalArgumentException("must be one of "
                + Arrays.stream(constants.getEnumConstants())
                        .map(ConfigType::word)
                        .collect(Collectors.joining(", "))
                + ", is \"" + text + "\"");
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
