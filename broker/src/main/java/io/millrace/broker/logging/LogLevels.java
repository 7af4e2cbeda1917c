package io.millrace.broker.logging;

import java.util.SortedMap;

/**
 * The loggers of this JVM, for administrators who want to see more or less of a broker's log while it runs. A program that has a logging
 * library offers one as a service ({@link java.util.ServiceLoader}); without, the levels are told and cannot be set. What is set lasts
 * until the program ends.
 *
 * <p>The root logger is called {@value #ROOT} here, whatever the library calls it. Levels are TRACE, DEBUG, INFO, WARN and ERROR. All
 * methods may be called from any thread.
 */
public interface LogLevels {

    /** Name of the logger that all others inherit from. */
    String ROOT = "root";

    /** Returns every logger that exists, with the level that it has by itself or by inheritance. */
    SortedMap<String, String> levels();

    /**
     * Gives a logger a level of its own.
     *
     * @param logger one of {@link #levels}
     * @param level one of the five
     */
    void set(String logger, String level);

    /**
     * Takes the level of its own from a logger, which inherits one then.
     *
     * @param logger one of {@link #levels}, except the root
     */
    void inherit(String logger);
}
