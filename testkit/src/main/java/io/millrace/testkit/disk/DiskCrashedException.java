package io.millrace.testkit.disk;

import java.io.IOException;

/** The fake disk has lost its power; nothing works until it is restarted. */
public final class DiskCrashedException extends IOException {
    private static final long serialVersionUID = 1L;

    DiskCrashedException() {
        super("the fake disk has crashed");
    }
}
