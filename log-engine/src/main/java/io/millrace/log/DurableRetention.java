package io.millrace.log;

/** Whether retention by time or size removes what a queue's cursor or a durable subscription has not acknowledged yet. */
public enum DurableRetention {
    /** Never. */
    KEEP,
    /** Retention wins; the gap is counted. */
    DROP
}
