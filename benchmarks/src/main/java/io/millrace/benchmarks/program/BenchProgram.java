package io.millrace.benchmarks.program;

import io.millrace.wire.time.SystemTimeSource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The client's JVM: runs what each line of standard input asks for, and ends with the input. */
public final class BenchProgram {
    /** Begins the line that says why a run failed. */
    public static final String FAILED = "failed ";

    private BenchProgram() {}

    /**
     * Runs the program.
     *
     * @param args the class of the connection factory, which has a constructor that takes a URL, and the broker's process id
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        String factoryClass = args[0];
        long brokerPid = Long.parseLong(args[1]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println(answer(factoryClass, brokerPid, line));
        }
        System.exit(0);
    }

    private static String answer(String factoryClass, long brokerPid, String line) throws InterruptedException {
        try {
            RunRequest request = RunRequest.parse(line);
            RunContext context = new RunContext(
                    factory(factoryClass, request.url()), request, SystemTimeSource.instance(), brokerPid);
            return Workloads.named(request.workload()).run(context).toLine();
        } catch (JMSException | RuntimeException failed) {
            failed.printStackTrace();
            return FAILED + failed;
        }
    }

    private static ConnectionFactory factory(String name, String url) {
        try {
            return Class.forName(name)
                    .asSubclass(ConnectionFactory.class)
                    .getConstructor(String.class)
                    .newInstance(url);
        } catch (ReflectiveOperationException notThere) {
            throw new BenchmarkException("cannot make a " + name + " for " + url, notThere);
        }
    }
}
