package io.millrace.systemtests.verify;

import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;

/** kill -9 of the broker, of a client, or of both, at a random moment. */
final class KillFault implements Fault {
    private static final long LONGEST_MS = 2_000;

    @Override
    public List<String> settings() {
        // What a killed client held comes to others within the round.
        return List.of("session.grace.ms=1000");
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        RandomGenerator random = stage.random();
        int chance = random.nextInt(4);
        boolean client = chance != 0 && stage.load().processCount() > 0;
        boolean broker = chance != 1 || !client;
        stage.load().work(random.nextLong(LONGEST_MS));
        String what = "";
        if (client) {
            int index = random.nextInt(stage.load().processCount());
            stage.load().killProcess(index);
            what = "killed client process " + index + (broker ? " and " : "");
        }
        if (broker) {
            if (client && random.nextBoolean()) {
                stage.load().work(random.nextLong(LONGEST_MS));
            }
            stage.broker().kill();
            stage.broker().start();
            what += "killed the broker, " + stage.broker().readyIn();
        }
        return what;
    }
}
