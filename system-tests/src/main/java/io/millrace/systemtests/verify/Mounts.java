package io.millrace.systemtests.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** File systems that are mounted on this machine. */
final class Mounts {
    private static final Path TABLE = Path.of("/proc/self/mounts");

    private Mounts() {}

    /** Whether this process may mount file systems. */
    static boolean isAllowed() {
        try {
            Command.run("unshare", "--mount", "true");
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** Takes down everything that is mounted below a directory, with the loop devices of files there. */
    static void removeBelow(Path directory) throws IOException {
        for (Path mounted : below(directory)) {
            Command.run("umount", "-l", mounted.toString());
        }
        if (!Command.exist("losetup")) {
            return;
        }
        for (String line : Command.run("losetup", "--list", "--noheadings", "--output", "NAME,BACK-FILE")
                .lines()
                .toList()) {
            String[] fields = line.strip().split("\\s+", 2);
            if (fields.length == 2 && fields[1].startsWith(directory.toString() + '/')) {
                Command.run("losetup", "--detach", fields[0]);
            }
        }
    }

    private static List<Path> below(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.exists(TABLE)) {
            for (String line : Files.readAllLines(TABLE)) {
                Path mounted = Path.of(line.split(" ", -1)[1]);
                if (mounted.startsWith(directory)) {
                    found.addFirst(mounted);
                }
            }
        }
        return found;
    }
}
