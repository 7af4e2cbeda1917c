package io.millrace.systemtests.verify;

import io.millrace.testkit.process.BrokerProcess.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Has brokers believe that the machine was started anew: in a mount namespace of their own they see another boot id than ours. Needs
 * root.
 */
final class Boots {
    private final Path file;
    private int count;

    /** @param file is what brokers see as the kernel's boot id */
    Boots(Path file) {
        this.file = file;
    }

    /** What this machine lacks for it, as the end of a sentence: "needs ...". */
    static Optional<String> missing() {
        return Command.exist("unshare", "mount", "sh") && Files.exists(Path.of("/proc/sys/kernel/random/boot_id"))
                ? Optional.empty()
                : Optional.of("Linux with the command unshare");
    }

    /**
     * Begins a boot. What is started with the result belongs to it. No broker makes a startup cache under it: the process that makes one lives
     * on for a while when the broker is killed, and keeps the broker's disk mounted.
     */
    Surroundings next(Map<String, String> environment) throws IOException {
        count++;
        Files.writeString(file, "00000000-0000-4000-8000-%012d%n".formatted(count));
        Map<String, String> all = new HashMap<>(environment);
        all.put("MILLRACE_STARTUP_CACHE", "off");
        return new Surroundings(
                all,
                List.of(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        "mount --bind \"$0\" /proc/sys/kernel/random/boot_id && exec \"$@\"",
                        file.toString()));
    }
}
