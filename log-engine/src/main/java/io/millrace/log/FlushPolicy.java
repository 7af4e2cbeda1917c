package io.millrace.log;

import java.util.Locale;

/** When records of a log go from the page cache to the disk. */
public enum FlushPolicy {
    /** A record counts once it is synced: it survives power loss. */
    ACK,
    /** The operating system decides, as in Kafka: a record survives kill -9, and power loss only on other replicas. */
    OS;

    /** The word in configuration files. */
    public String configName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
