package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.testkit.history.Operation;
import io.millrace.testkit.history.OperationLine;
import io.millrace.testkit.history.Recorder;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Clients in a process of their own, which may be killed or stopped. What they did is printed, an operation a line, each in one
 * write, before they do the next: what was printed has happened, whatever becomes of the process. The lines of its input are
 * orders: {@link #STOP_SENDING}, {@link #STOP}. It ends with its input.
 */
public final class ClientProgram {
    static final String STOP_SENDING = "stop-sending";
    static final String STOP = "stop";

    /** Printed when all senders have ended as ordered. */
    static final String SENT_ALL = "sent-all";

    /** Printed when everything has ended as ordered. */
    static final String ENDED = "ended";

    /** Printed with the reason when a client gave up. */
    static final String FAILED = "failed ";

    private final Output output;
    private final Stop senderStop = new Stop();
    private final Stop receiverStop = new Stop();
    private final List<CompletableFuture<Void>> senders = new ArrayList<>();
    private final List<CompletableFuture<Void>> receivers = new ArrayList<>();

    private ClientProgram(Output output) {
        this.output = output;
    }

    /**
     * Runs clients.
     *
     * @param args URL, seed, tasks
     */
    public static void main(String[] args) throws IOException {
        ClientProgram program = new ClientProgram(new Output(SystemTimeSource.instance(), System.out));
        program.start(args);
        try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            program.obey(orders);
        }
        // Whoever started this is gone: what is still running is worth nothing.
        Runtime.getRuntime().halt(0);
    }

    private void start(String[] args) {
        MillraceConnectionFactory factory = new MillraceConnectionFactory(args[0]);
        SplittableRandom random = VerifyCommand.chance(Long.parseLong(args[1]));
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("client-", 0).daemon().factory());
        for (int i = 2; i < args.length; i++) {
            Task task = Task.parse(args[i]);
            Stop stop = task instanceof Task.Send ? senderStop : receiverStop;
            Runnable client = task.in(factory, output, random.split(), stop);
            CompletableFuture<Void> ended = CompletableFuture.runAsync(client, threads);
            ended.exceptionally(failure -> {
                output.line(FAILED + reason(failure));
                return null;
            });
            (task instanceof Task.Send ? senders : receivers).add(ended);
        }
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return (cause + " because of " + cause.getCause()).replace('\n', ' ');
    }

    private void obey(BufferedReader orders) throws IOException {
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            switch (order) {
                case STOP_SENDING -> end(senderStop, senders, SENT_ALL);
                case STOP -> end(receiverStop, receivers, ENDED);
                default -> output.line(FAILED + "unknown order " + order);
            }
        }
    }

    private void end(Stop stop, List<CompletableFuture<Void>> clients, String word) {
        stop.ask();
        try {
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).join();
            output.line(word);
        } catch (CompletionException toldAlready) {
            // The client that failed has printed why.
        }
    }

    /** Prints operations. */
    private static final class Output extends Recorder {
        private final OutputStream out;

        Output(TimeSource time, OutputStream out) {
            super(time);
            this.out = out;
        }

        @Override
        public void add(Operation operation) {
            line(OperationLine.of(operation));
        }

        void line(String line) {
            try {
                // Not longer than PIPE_BUF: written as a whole or not at all, and not mixed with others.
                out.write((line + '\n').getBytes(StandardCharsets.UTF_8));
                out.flush();
            } catch (IOException closed) {
                throw new UncheckedIOException(closed);
            }
        }
    }
}
