package io.millrace.systemtests.planted.log;

import java.util.concurrent.TimeUnit;

final class Sleeps {

    private Sleeps() {}

    static void onThread() throws InterruptedException {
        Thread.sleep(1);
    }

    static void onUnit() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(1);
    }
}
