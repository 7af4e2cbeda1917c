package io.millrace.systemtests.verify;

import java.util.Locale;
import java.util.Optional;

/** The faults that {@code ./millrace verify} knows. */
public enum FaultKind {
    KILL("kill -9 of the broker and of client processes at random moments, restart on the same data."),
    PAUSE("SIGSTOP of the broker and of client processes, for longer than their timeouts."),
    POWERCUT("power loss of the broker's disk (an ext4 of its own) and machine, restart on what was forced."),
    DISKFULL("a full disk: sends are refused, receives go on, sends work again when there is space."),
    EIO("a disk that fails, says that it is full, writes by half, or is slow, in the middle of the load."),
    LIE("a disk that says that it has synced, and has not, and then a power cut: nothing wrong may be served."),
    HOSTILE(
            "thousands of connections that stop half-way, read nothing, send a byte a second, never acknowledge, create queues without end."),
    DESCRIPTORS("a broker that may open 256 files, under more connections and queues than that."),
    FLOOD("a broker with a heap of 128 MB, flooded with large and small messages that nobody reads."),
    CLOCK("the broker's wall clock jumps by an hour, both ways, also between a kill and the start.");

    private final String description;

    FaultKind(String description) {
        this.description = description;
    }

    /** A new one for the common load of a {@link Trial}; empty for a lying disk, which has a trial of its own: {@link LieTrial}. */
    Optional<Fault> underLoad() {
        return switch (this) {
            case KILL -> Optional.of(new KillFault());
            case PAUSE -> Optional.of(new PauseFault());
            case POWERCUT -> Optional.of(new PowerCutFault());
            case DISKFULL -> Optional.of(new DiskFullFault());
            case EIO -> Optional.of(new DiskErrorFault());
            case LIE -> Optional.empty();
            case HOSTILE -> Optional.of(new HostileFault());
            case DESCRIPTORS -> Optional.of(new DescriptorsFault());
            case FLOOD -> Optional.of(new FloodFault());
            case CLOCK -> Optional.of(new ClockFault());
        };
    }

    /** Who is at work, unless it is said. */
    public Clients clients() {
        return isForKafka() ? Clients.BOTH : Clients.JMS;
    }

    /** Whether Kafka's clients may be among those that it disturbs. */
    boolean isForKafka() {
        return this == KILL || this == POWERCUT || this == DISKFULL;
    }

    public String description() {
        return description;
    }

    /** What it needs of this machine and does not find, if anything; as the end of a sentence: "needs ...". */
    public Optional<String> missing() {
        return underLoad().map(Fault::missing).orElseGet(LieTrial::missing);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
