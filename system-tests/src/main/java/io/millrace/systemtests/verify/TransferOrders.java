package io.millrace.systemtests.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a {@link TransferProgram} is told: to end, or to crash at a point. When nobody is there any more to tell it anything, it ends at once, so that
 * none is left behind.
 */
final class TransferOrders {

    static final String END = "end";

    private final Stop end = new Stop();
    private volatile Optional<CrashPoint> crash = Optional.empty();

    static TransferOrders fromStandardInput() {
        TransferOrders orders = new TransferOrders();
        Thread.ofPlatform().name("orders").daemon().start(orders::read);
        return orders;
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(END)) {
                    end.ask();
                } else {
                    crash = Optional.of(CrashPoint.parse(line));
                }
            }
        } catch (IOException gone) {
            System.out.println("nobody is there any more: " + gone);
        }
        Runtime.getRuntime().halt(1);
    }

    boolean isToEnd() {
        return end.isAsked();
    }

    /** Waits before something is tried again. */
    void pause(long durationMs) {
        end.await(durationMs);
    }

    Optional<CrashPoint> crash() {
        return crash;
    }
}
