package io.millrace.systemtests.verify;

import java.util.Locale;

/** Whose clients are at work while a broker is hurt. */
public enum Clients {
    JMS,
    KAFKA,
    BOTH;

    boolean jms() {
        return this != KAFKA;
    }

    boolean kafka() {
        return this != JMS;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
