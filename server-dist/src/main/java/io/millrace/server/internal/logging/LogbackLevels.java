package io.millrace.server.internal.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.millrace.broker.logging.LogLevels;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;

/** Levels of Logback's loggers. A broker finds it as a service. */
public final class LogbackLevels implements LogLevels {

    @Override
    public SortedMap<String, String> levels() {
        SortedMap<String, String> levels = new TreeMap<>();
        for (Logger logger : loggers().getLoggerList()) {
            levels.put(
                    isRoot(logger.getName()) ? ROOT : logger.getName(),
                    logger.getEffectiveLevel().toString());
        }
        return levels;
    }

    @Override
    public void set(String logger, String level) {
        named(logger).setLevel(Level.valueOf(level));
    }

    @Override
    public void inherit(String logger) {
        named(logger).setLevel(null);
    }

    private static Logger named(String logger) {
        return loggers().getLogger(logger.equals(ROOT) ? org.slf4j.Logger.ROOT_LOGGER_NAME : logger);
    }

    private static boolean isRoot(String name) {
        return name.equals(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static LoggerContext loggers() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
