package io.millrace.broker.internal.transaction.narayana;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.internal.transaction.narayana.ScriptedCommit.Script;
import io.millrace.coordinator.transaction.CommitEngine;
import io.millrace.coordinator.transaction.PlainCommitEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same histories through both engines: the same steps in the same order, and the same came of them. */
final class CommitEnginesDifferentialTest {

    private static final String SHARD = "shard";
    private static final int MOST_COMMITS = 16;

    private ExecutorService shard;
    private ExecutorService elsewhere;

    @BeforeEach
    void start() {
        shard = Executors.newSingleThreadExecutor(task -> new Thread(task, SHARD));
        elsewhere = Executors.newFixedThreadPool(3, task -> new Thread(task, "elsewhere"));
    }

    @AfterEach
    void stop() {
        shard.shutdownNow();
        elsewhere.shutdownNow();
    }

    @Test
    void shouldDoWhatThePlainEngineDoes() throws InterruptedException {
        compare(0, 500);
    }

    @Test
    @Tag("long")
    @Timeout(600)
    void shouldDoWhatThePlainEngineDoesInManyHistories() throws InterruptedException {
        compare(500, 50_000);
    }

    private void compare(int from, int to) throws InterruptedException {
        CommitEngine plain = new PlainCommitEngine();
        CommitEngine narayana = new NarayanaCommitEngine(shard);
        for (int seed = from; seed < to; seed++) {
            Random random = new Random(seed);
            List<Script> scripts = Stream.generate(() -> Script.random(random))
                    .limit(1 + random.nextInt(MOST_COMMITS))
                    .toList();
            List<String> expected = scripts.stream().map(Script::expected).toList();

            assertThat(outcomes(begin(plain, scripts)))
                    .as("plain engine, seed %d: %s", seed, scripts)
                    .isEqualTo(expected);
            List<ScriptedCommit> driven = begin(narayana, scripts);
            assertThat(outcomes(driven))
                    .as("Narayana, seed %d: %s", seed, scripts)
                    .isEqualTo(expected);
            assertThat(driven.stream().flatMap(commit -> commit.threads().stream()))
                    .as("threads of steps and results, seed %d", seed)
                    .containsOnly(SHARD);
        }
    }

    /** All at a time, so that they overlap. */
    private List<ScriptedCommit> begin(CommitEngine engine, List<Script> scripts) {
        List<ScriptedCommit> commits = scripts.stream()
                .map(script -> new ScriptedCommit(script, new ScriptedCommit.Executors(shard, elsewhere)))
                .toList();
        commits.forEach(commit -> commit.begin(engine));
        return commits;
    }

    private static List<String> outcomes(List<ScriptedCommit> commits) throws InterruptedException {
        List<String> outcomes = new ArrayList<>();
        for (ScriptedCommit commit : commits) {
            outcomes.add(commit.outcome());
        }
        return outcomes;
    }
}
