package io.millrace.systemtests.planted.log;

final class TypedException extends RuntimeException {

    TypedException(String message) {
        super(message);
    }
}
