package io.millrace.systemtests.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.script.ScriptSandbox.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MillraceScriptTest {

    private static final String BUILD = "mvn -B -ntp -Dmillrace.fast -pl server-dist -am package with ";

    @TempDir
    private Path directory;

    private ScriptSandbox sandbox;
    private Path jdk;

    @BeforeEach
    void layOutTheProject() throws IOException {
        sandbox = new ScriptSandbox(directory);
        jdk = directory.resolve("jdk");
    }

    @Test
    void shouldBuildTheProgramWhenItIsMissingAndRunIt() throws IOException, InterruptedException {
        Result result = sandbox.run("demo", "--exit");

        assertThat(sandbox.calls()).containsExactly(BUILD + jdk);
        assertThat(result.output()).contains("millrace: building", "program demo --exit with " + jdk);
        assertThat(result.exitCode()).isEqualTo(7);
    }

    @Test
    void shouldRunKafkasToolsOfTheDistribution() throws IOException, InterruptedException {
        sandbox.run("demo");
        sandbox.tool("kafka-topics.sh");

        assertThat(sandbox.run("kafka-topics", "--list").output()).isEqualTo("kafka-topics.sh --list\n");
        Result unknown = sandbox.run("kafka-topic", "--list");

        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.output()).contains("there is no kafka-topic.sh", "kafka-topics.sh");
    }

    @Test
    void shouldNotBuildAgainWhenNothingChanged() throws IOException, InterruptedException {
        sandbox.run("demo");

        Result second = sandbox.run("queues", "list");

        assertThat(sandbox.calls()).hasSize(1);
        assertThat(second.output()).isEqualTo("program queues list with " + jdk + "\n");
    }

    @Test
    void shouldBuildAgainAfterAChange() throws IOException, InterruptedException {
        sandbox.run("demo");

        sandbox.touch("engine/src/main/java/Engine.java");
        sandbox.run("demo");

        assertThat(sandbox.calls()).hasSize(2);
    }

    @Test
    void shouldBuildAgainAfterAFileWasDeleted() throws IOException, InterruptedException {
        sandbox.run("demo");

        sandbox.delete("engine/src/main/java/Engine.java");
        sandbox.touch("engine/src/main/java"); // as deleting does, but after the build whatever the clock's grain
        sandbox.run("demo");

        assertThat(sandbox.calls()).hasSize(2);
    }

    @Test
    void shouldNotBuildForTestsThatChanged() throws IOException, InterruptedException {
        sandbox.run("demo");

        sandbox.touch("engine/src/test/java/EngineTest.java");
        sandbox.touch("system-tests/src/main/java/Fixture.java");
        sandbox.touch("benchmarks/src/main/java/Benchmark.java");
        sandbox.run("demo");

        assertThat(sandbox.calls()).hasSize(1);
    }

    @Test
    void shouldShowErrorsOfAFailedBuildAndNotRunAnOldProgram() throws IOException, InterruptedException {
        sandbox.run("demo");
        sandbox.touch("engine/pom.xml");

        Result failed = sandbox.with("MVN_FAILS", "yes").run("demo");

        assertThat(failed.output())
                .contains("[ERROR] no such symbol", "the build failed")
                .doesNotContain("program");
        assertThat(failed.exitCode()).isEqualTo(1);

        sandbox.without("MVN_FAILS").run("demo");

        assertThat(sandbox.calls()).hasSize(3);
    }

    @Test
    void shouldGiveMavenTheArgumentsOfTheEnvironment() throws IOException, InterruptedException {
        Result result = sandbox.with("MILLRACE_MVN_ARGS", "-o -Dx=y").run("mvn", "-v");

        assertThat(sandbox.calls()).containsExactly("mvn -o -Dx=y -v with " + jdk);
        assertThat(result.exitCode()).isEqualTo(0);
    }

    @Test
    void shouldPassAJavaHomeThatIsTooOldBy() throws IOException, InterruptedException {
        ScriptSandbox.jdk(directory.resolve("old"), "17.0.15");
        ScriptSandbox.jdk(directory.resolve(".jdks/new"), "26");
        ScriptSandbox.jdk(directory.resolve(".jdks/right"), "25");

        sandbox.with("JAVA_HOME", directory.resolve("old").toString()).run("mvn", "-v");

        assertThat(sandbox.calls())
                .singleElement()
                .asString()
                .startsWith("mvn -v with /")
                .doesNotEndWith("/old")
                .doesNotEndWith("/new");
    }

    @Test
    void shouldAddUpWhatTheTestsOfAllModulesReport() throws IOException, InterruptedException {
        sandbox.write("engine/target/surefire-reports/TEST-A.xml", report(5, 1, 0, 1) + report(2, 0, 0, 0));
        sandbox.write("system-tests/target/surefire-reports/TEST-B.xml", report(4, 0, 1, 0));
        sandbox.write("system-tests/target/failsafe-reports/TEST-C.xml", report(1, 0, 0, 0));

        Result result = sandbox.run("test");

        assertThat(sandbox.calls()).containsExactly("mvn -B -ntp --fail-at-end clean verify with " + jdk);
        assertThat(result.output())
                .contains("engine                7 tests, 1 failed, 1 skipped\n")
                .contains("system-tests          5 tests, 1 failed, 0 skipped\n")
                .endsWith("\n9 passed, 2 failed, 1 skipped\n");
        assertThat(result.exitCode()).isEqualTo(0);
    }

    @Test
    void shouldSayWhichTestsDidNotRunAndWhy() throws IOException, InterruptedException {
        String skipped =
                "<testcase><skipped message=\"skipped: needs the command &quot;kcat&quot;\" type=\"x\"/></testcase>\n";
        sandbox.write("engine/target/surefire-reports/TEST-A.xml", report(5, 0, 0, 2) + skipped + skipped);

        assertThat(sandbox.run("test").output())
                .contains(
                        "NOT RUN, 2: needs the command \"kcat\"\n",
                        "tests tagged \"long\" were not asked for: ./millrace test full\n");
        assertThat(sandbox.run("test", "full").output())
                .contains("NOT RUN, 2: ")
                .doesNotContain("not asked for");
    }

    @Test
    void shouldReportWhatMavenFoundWrong() throws IOException, InterruptedException {
        sandbox.write("engine/target/surefire-reports/TEST-A.xml", report(5, 1, 0, 0));

        Result result = sandbox.with("MVN_FAILS", "yes").run("test");

        assertThat(result.output()).endsWith("\n4 passed, 1 failed, 0 skipped\n");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldFailWhenNoTestRan() throws IOException, InterruptedException {
        Result result = sandbox.run("test");

        assertThat(result.output()).contains("no test ran");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldAddLongTestsWhenAskedForAll() throws IOException, InterruptedException {
        sandbox.run("test", "full");

        assertThat(sandbox.calls())
                .containsExactly("mvn -B -ntp --fail-at-end -DexcludedGroups= clean verify with " + jdk);
    }

    @Test
    void shouldRefuseWordsAfterTestThatItDoesNotKnow() throws IOException, InterruptedException {
        Result result = sandbox.run("test", "quick");

        assertThat(result.output()).contains("usage: ./millrace test [full]");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(sandbox.calls()).isEmpty();
    }

    @Test
    void shouldInstallMissingPackagesAsRoot() throws IOException, InterruptedException {
        sandbox.write(".ci/packages", "maven mvn\nfuzzer no-such-command\n");

        sandbox.run("test");

        assertThat(sandbox.calls())
                .startsWith("apt-get update", "apt-get install -y --no-install-recommends fuzzer")
                .hasSize(3);
    }

    @Test
    void shouldNameMissingPackagesToOthers() throws IOException, InterruptedException {
        sandbox.write(".ci/packages", "fuzzer no-such-command\n");

        Result result = sandbox.with("FAKE_UID", "1000").run("test");

        assertThat(result.output()).contains("sudo apt-get install fuzzer");
        assertThat(sandbox.calls()).hasSize(1);
    }

    @Test
    void shouldBuildBenchmarksWithWhatTheyMeasureAndRunThem() throws IOException, InterruptedException {
        Result result = sandbox.run("bench", "jms", "--quick");

        assertThat(sandbox.calls())
                .containsExactly(
                        "mvn -B -ntp -Dmillrace.fast -pl benchmarks,benchmarks/artemis,benchmarks/kafka,server-dist -am package with "
                                + jdk);
        assertThat(result.output())
                .contains("io.millrace.benchmarks.BenchCommand jms --quick in ")
                .endsWith("server-dist/target/millrace-1.2.3\n");
        assertThat(result.exitCode()).isEqualTo(5);
    }

    private static String report(int tests, int failures, int errors, int skipped) {
        return "<testsuite name=\"x\" time=\"0.1\" tests=\"%d\" errors=\"%d\" skipped=\"%d\" failures=\"%d\">\n</testsuite>\n"
                .formatted(tests, errors, skipped, failures);
    }
}
