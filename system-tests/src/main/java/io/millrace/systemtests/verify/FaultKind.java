package io.millrace.systemtests.verify;

import java.util.Locale;
import java.util.Optional;

/** The faults that {@code ./millrace verify} knows. */
public enum FaultKind {
    KILL("kill -9 of the broker and of client processes at random moments, restart on the same data."),
    PAUSE("SIGSTOP of the broker and of client processes, for longer than their timeouts."),
    POWERCUT("power loss of the broker's disk (an ext4 of its own) and machine, restart on what was forced."),
    DISKFULL("a full disk: sends are refused, receives go on, sends work again when there is space."),
    EIO("a disk that fails, says that it is full, writes by half, or is slow, in the middle of the load.");

    private final String description;

    FaultKind(String description) {
        this.description = description;
    }

    Fault create() {
        return switch (this) {
            case KILL -> new KillFault();
            case PAUSE -> new PauseFault();
            case POWERCUT -> new PowerCutFault();
            case DISKFULL -> new DiskFullFault();
            case EIO -> new DiskErrorFault();
        };
    }

    public String description() {
        return description;
    }

    /** What it needs of this machine and does not find, if anything; as the end of a sentence: "needs ...". */
    public Optional<String> missing() {
        return create().missing();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
