package io.millrace.benchmarks.program;

import jakarta.jms.JMSException;

/** Something that JMS programs do, measured. A run uses destinations of its own and leaves them empty. */
public interface Workload {

    /** Returns what {@code --workload} calls it. */
    String name();

    /** Returns one line for people. */
    String description();

    /**
     * Runs once: prepares, measures, counts.
     *
     * @throws JMSException if the provider refuses something
     * @throws BenchmarkException if messages do not arrive in time
     */
    Measurement run(RunContext context) throws JMSException, InterruptedException;
}
