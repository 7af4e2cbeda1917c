package io.millrace.broker.internal.transaction.narayana;

/**
 * The decision was not written, or nobody knows whether it was. Narayana must neither commit nor roll back then: whoever has the log next
 * reads from it what is true. An exception that Narayana does not know makes it drop the commit as it is; for one of its own it would roll back.
 */
public final class UndecidedException extends RuntimeException {

    UndecidedException() {
        super("the decision was not written, or it is not known whether it was", null, false, false);
    }
}
