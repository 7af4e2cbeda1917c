package io.millrace.broker.internal.kafka.admin;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The levels of the broker's loggers. They are set in the logging configuration, see {@code docs/logging.md}. From any thread. */
public final class BrokerLoggers {

    /** Describes the loggers that somebody may want to know of. */
    public List<DescribedConfig> describe() {
        return Stream.of(Logger.ROOT_LOGGER_NAME, "io.millrace", "org.apache.kafka")
                .map(BrokerLoggers::describe)
                .toList();
    }

    private static DescribedConfig describe(String name) {
        return new DescribedConfig(
                name,
                level(LoggerFactory.getLogger(name)),
                ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG,
                ConfigType.STRING,
                true,
                false,
                List.of(),
                "Level of this logger. It is set in the logging configuration.");
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
