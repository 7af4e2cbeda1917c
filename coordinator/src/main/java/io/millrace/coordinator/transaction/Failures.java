package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletionException;

/** What stages fail with, out of its wrapping. */
final class Failures {

    private Failures() {}

    static Throwable cause(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause == null ? failure : cause;
    }

    static boolean is(Throwable failure, TransactionError error) {
        return cause(failure) instanceof TransactionException known && known.error() == error;
    }

    static String text(Throwable failure) {
        return String.valueOf(cause(failure).getMessage());
    }
}
