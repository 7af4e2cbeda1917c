package io.millrace.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells one boot of this machine from the next. */
public final class BootId {
    private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /** The id of the running boot, or empty where the system has none: then every kill counts as a power loss. */
    public static String current() {
        try {
            return Files.readString(LINUX).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
