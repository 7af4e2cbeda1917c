package io.millrace.broker.internal.kafka.admin;

import io.millrace.broker.internal.kafka.admin.ConfigChanges.Wish;
import io.millrace.broker.logging.LogLevels;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The levels of the broker's loggers (KIP-412), which last until it ends. From any thread. */
public final class BrokerLoggers {

    /** FATAL is a level of Kafka's logging library, and of no other: it is taken as ERROR. */
    private static final Set<String> LEVELS = Set.of("TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL");

    private final Optional<LogLevels> levels;

    /**
     * Tells of loggers.
     *
     * @param levels sets levels; without it nobody can, and only the most important loggers are known
     */
    public BrokerLoggers(Optional<LogLevels> levels) {
        this.levels = levels;
    }

    /** Describes every logger that is known. */
    public List<DescribedConfig> describe() {
        SortedMap<String, String> known = levels.map(LogLevels::levels).orElseGet(BrokerLoggers::asked);
        return known.entrySet().stream().map(this::describe).toList();
    }

    private DescribedConfig describe(Map.Entry<String, String> logger) {
        return new DescribedConfig(
                logger.getKey(),
                logger.getValue(),
                ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG,
                ConfigType.STRING,
                levels.isEmpty(),
                false,
                List.of(),
                "Level of this logger. What is set lasts until the broker ends.");
    }

    /**
     * Changes levels: all of them, or none.
     *
     * @param validateOnly whether nothing shall change
     * @return the error, or none
     */
    public ApiError change(Collection<Wish> wishes, boolean validateOnly) {
        try {
            LogLevels target = levels.orElseThrow(
                    () -> new InvalidRequestException(
                            "The program that runs this broker does not let its log be changed: set the levels in its logging configuration."));
            check(wishes, target.levels().keySet());
            if (!validateOnly) {
                wishes.forEach(wish -> apply(wish, target));
            }
            return ApiError.NONE;
        } catch (ApiException e) {
            return Answers.error(e);
        }
    }

    private static void check(Collection<Wish> wishes, Set<String> known) {
        Set<String> named = new HashSet<>();
        for (Wish wish : wishes) {
            String logger = wish.name();
            if (!named.add(logger)) {
                throw new InvalidRequestException("Error due to duplicate config keys: " + logger);
            }
            if (!known.contains(logger)) {
                throw new InvalidConfigurationException("Logger " + logger + " does not exist!");
            }
            switch (wish.operation()) {
                case SET -> {
                    if (wish.value() == null || !LEVELS.contains(wish.value())) {
                        throw new InvalidConfigurationException("Cannot set the log level of " + logger + " to "
                                + wish.value() + ": levels are " + String.join(", ", sorted(LEVELS)) + ".");
                    }
                }
                case DELETE -> {
                    if (logger.equals(LogLevels.ROOT)) {
                        throw new InvalidRequestException("The root logger has nobody to take a level from: set one.");
                    }
                }
                case APPEND, SUBTRACT ->
                    throw new InvalidRequestException(
                            wish.operation() + " is for lists, and the level of a logger is none.");
            }
        }
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted().toList();
    }

    private static void apply(Wish wish, LogLevels target) {
        if (wish.operation() == AlterConfigOp.OpType.DELETE) {
            target.inherit(wish.name());
        } else {
            target.set(wish.name(), "FATAL".equals(wish.value()) ? "ERROR" : String.valueOf(wish.value()));
        }
    }

    private static SortedMap<String, String> asked() {
        SortedMap<String, String> asked = new TreeMap<>();
        Stream.of("io.millrace", "org.apache.kafka")
                .forEach(name -> asked.put(name, level(LoggerFactory.getLogger(name))));
        asked.put(LogLevels.ROOT, level(LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)));
        return asked;
    }

    private static String level(Logger logger) {
        if (logger.isTraceEnabled()) {
            return "TRACE";
        }
        if (logger.isDebugEnabled()) {
            return "DEBUG";
        }
        if (logger.isInfoEnabled()) {
            return "INFO";
        }
        return logger.isWarnEnabled() ? "WARN" : "ERROR";
    }
}
