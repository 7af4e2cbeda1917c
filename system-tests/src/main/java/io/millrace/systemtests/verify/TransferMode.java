package io.millrace.systemtests.verify;

import java.util.Locale;

/** By which API messages are moved in transactions. */
public enum TransferMode {
    /** A transacted session receives from a queue and sends to another. */
    JMS,
    /** A consumer and a transactional producer, which commits the consumer's offsets too. */
    KAFKA,
    /** An XA session receives from a queue and sends to another, and a database gets a row for each message, by a transaction manager. */
    XA;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
