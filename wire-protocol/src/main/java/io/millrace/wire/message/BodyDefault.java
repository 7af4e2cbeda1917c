package io.millrace.wire.message;

/** How records that say nothing about their type read: the values of the destination setting {@code jms.body.default}. */
public enum BodyDefault {
    /** As text when the value is valid UTF-8, else as bytes. */
    TEXT,
    /** Always as bytes. */
    BYTES
}
