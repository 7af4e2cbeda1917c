package io.millrace.systemtests.planted.log;

final class ThrowsAnything {

    private ThrowsAnything() {}

    static void declares(boolean now) throws Exception {
        if (now) {
            throw new TypedException("typed");
        }
    }

    static void isBare(boolean now) {
        if (now) {
            throw new RuntimeException("bare");
        }
    }

    static void isUnsupported(boolean now) {
        if (now) {
            throw new UnsupportedOperationException("unsupported");
        }
    }
}
