package io.millrace.log.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one declaration of a setting, from which come parsing, validation, and the documentation:
 *
 * <pre>{@code
 * static final ConfigKey<Integer> SEGMENT_BYTES = ConfigKey.ofInt("log.segment.bytes")
 *         .withDefault(1 << 30)
 *         .atLeast(14)
 *         .perDestination("segment.bytes")
 *         .describedAs("Size at which a log file is closed and the next one begun.");
 * }</pre>
 *
 * <p>Names are Kafka's where the concept is Kafka's: lower case, dotted, the unit last.
 *
 * @param <T> type of the value
 */
public final class ConfigKey<T> {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*([._-][a-z0-9]+)*");

    private record Rule<T>(String text, Predicate<T> holds) {}

    private final String name;
    private final ConfigType<T> type;
    private final @Nullable T defaultValue;
    private final String defaultText;
    private final List<Rule<T>> rules;
    private final @Nullable String destinationName;
    private final String documentation;

    private ConfigKey(
            String name,
            ConfigType<T> type,
            @Nullable T defaultValue,
            String defaultText,
            List<Rule<T>> rules,
            @Nullable String destinationName,
            String documentation) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("no name of a setting: \"" + name + "\"");
        }
        this.name = name;
        this.type = type;
        this.defaultValue = defaultValue;
        this.defaultText = defaultText;
        this.rules = rules;
        this.destinationName = destinationName;
        this.documentation = documentation;
    }

    public static <T> ConfigKey<T> of(String name, ConfigType<T> type) {
        return new ConfigKey<>(name, type, null, "", List.of(), null, "");
    }

    public static ConfigKey<Integer> ofInt(String name) {
        return of(name, ConfigType.INT);
    }

    public static ConfigKey<Long> ofLong(String name) {
        return of(name, ConfigType.LONG);
    }

    public static ConfigKey<Boolean> ofBoolean(String name) {
        return of(name, ConfigType.BOOLEAN);
    }

    public static ConfigKey<String> ofString(String name) {
        return of(name, ConfigType.STRING);
    }

    public static ConfigKey<List<String>> ofList(String name) {
        return of(name, ConfigType.LIST);
    }

    /** This key with a value for those who set none. Without one, {@link ConfigValues#find} answers empty. */
    public ConfigKey<T> withDefault(T value) {
        return new ConfigKey<>(name, type, value, type.format(value), rules, destinationName, documentation);
    }

    /** This key without a default of its own; the text says in the documentation what applies instead, such as another key. */
    public ConfigKey<T> withoutDefault(String text) {
        return new ConfigKey<>(name, type, null, text, rules, destinationName, documentation);
    }

    /** This key with a rule: {@code text} completes the sentence "log.segment.bytes must be ...". */
    public ConfigKey<T> mustBe(String text, Predicate<T> holds) {
        List<Rule<T>> more = new ArrayList<>(rules);
        more.add(new Rule<>(text, holds));
        return new ConfigKey<>(
                name, type, defaultValue, defaultText, List.copyOf(more), destinationName, documentation);
    }

    /** This key with a lower bound; for numbers. */
    public ConfigKey<T> atLeast(long smallest) {
        return mustBe("at least " + smallest, value -> ((Number) value).longValue() >= smallest);
    }

    /** This key with an upper bound; for numbers. */
    public ConfigKey<T> atMost(long largest) {
        return mustBe("at most " + largest, value -> ((Number) value).longValue() <= largest);
    }

    /** This key as one that a queue or topic may override under a name of its own (Kafka's topic level). */
    public ConfigKey<T> perDestination(String nameThere) {
        return new ConfigKey<>(name, type, defaultValue, defaultText, rules, nameThere, documentation);
    }

    /** This key with its documentation: one to three sentences that say what it does and when to change it. */
    public ConfigKey<T> describedAs(String text) {
        return new ConfigKey<>(name, type, defaultValue, defaultText, rules, destinationName, text);
    }

    public String name() {
        return name;
    }

    public ConfigType<T> type() {
        return type;
    }

    public Optional<T> defaultValue() {
        return Optional.ofNullable(defaultValue);
    }

    /** The default as a person would write it, or what applies instead of one. */
    public String defaultText() {
        return defaultText;
    }

    /** The name under which a destination overrides it, if it can. */
    public Optional<String> destinationName() {
        return Optional.ofNullable(destinationName);
    }

    public String documentation() {
        return documentation;
    }

    /** What values must be, for the documentation; empty if anything of the type is fine. */
    public List<String> ruleTexts() {
        return rules.stream().map(Rule::text).toList();
    }

    /**
     * The key under which a destination overrides this one: same type, rules and documentation, no default.
     *
     * @throws IllegalStateException if this setting is the broker's alone
     */
    public ConfigKey<T> destinationKey() {
        if (destinationName == null) {
            throw new IllegalStateException(name + " cannot be set per destination");
        }
        return new ConfigKey<>(destinationName, type, null, "the broker's " + name, rules, null, documentation);
    }

    /**
     * Reads and checks a value.
     *
     * @throws InvalidConfigException if the text is no value of this type, or breaks a rule
     */
    public T parse(String text) {
        T value;
        try {
            value = type.parse(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigException(name + " " + e.getMessage(), e);
        }
        for (Rule<T> rule : rules) {
            if (!rule.holds.test(value)) {
                throw new InvalidConfigException(name + " must be " + rule.text + ", is \"" + text.strip() + "\"");
            }
        }
        return value;
    }

    @Override
    public String toString() {
        return name;
    }
}
