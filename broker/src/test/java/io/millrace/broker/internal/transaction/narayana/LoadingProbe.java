package io.millrace.broker.internal.transaction.narayana;

import io.millrace.coordinator.transaction.CommitSteps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** A program that makes engines, then commits with one, and says so. */
final class LoadingProbe {

    static final String MADE = "engines are made";
    static final String COMMITTED = "committed; sockets: ";

    private LoadingProbe() {}

    public static void main(String[] args) throws IOException {
        NarayanaCommitEngine engine = new NarayanaCommitEngine(Runnable::run);
        NarayanaCommitEngine other = new NarayanaCommitEngine(Runnable::run);
        System.out.println(MADE);
        engine.commit(new Nothing()).toCompletableFuture().join();
        other.commit(new Nothing()).toCompletableFuture().join();
        System.out.println(COMMITTED + sockets());
    }

    private static long sockets() throws IOException {
        long sockets = 0;
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            for (Path file : open.toList()) {
                if (isSocket(file)) {
                    sockets++;
                }
            }
        }
        return sockets;
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException e) {
            // the one that lists this directory is closed by now
            return false;
        }
    }

    private static final class Nothing implements CommitSteps {

        @Override
        public CompletionStage<Void> prepare() {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<Void> decide() {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<Void> tell() {
            return CompletableFuture.completedStage(null);
        }
    }
}
