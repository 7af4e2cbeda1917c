package io.millrace.systemtests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Shows for each rule that it finds exactly what was planted against it. The planted classes form a small copy of the project below
 * {@code io.millrace.systemtests.planted}, with some classes that look suspicious and are allowed.
 */
class RulesFindViolationsTest {

    private static final String ROOT = "io.millrace.systemtests.planted";
    private static final JavaClasses PLANTED = new ClassFileImporter().importPackages(ROOT);

    private final ModuleRules modules = new ModuleRules(ROOT);
    private final CallRules calls = new CallRules(ROOT);

    @Test
    void shouldFindArrowsThatPointBackAndUnknownModules() {
        assertThat(offenders(modules.arrows())).containsExactly("jms.KnowsBroker", "stray.Stray", "wire.KnowsLog");
    }

    @Test
    void shouldFindForeignInternals() {
        assertThat(offenders(modules.internalsStayInside())).containsExactly("broker.KnowsLogInternals");
    }

    @Test
    void shouldFindKafka() {
        assertThat(offenders(modules.kafkaOnlyInBrokerAndQuorum())).containsExactly("jms.KnowsKafka");
    }

    @Test
    void shouldFindJms() {
        assertThat(offenders(modules.jmsOnlyInClient())).containsExactly("wire.KnowsJms");
    }

    @Test
    void shouldFindNetty() {
        assertThat(offenders(modules.nettyOnlyAtTheEdges())).containsExactly("log.KnowsNetty");
    }

    @Test
    void shouldFindMicrometer() {
        assertThat(offenders(modules.micrometerOnlyInMetrics())).containsExactly("broker.KnowsMicrometer");
    }

    @Test
    void shouldFindNarayana() {
        assertThat(offenders(modules.narayanaOnlyInItsClassLoader())).containsExactly("broker.KnowsNarayana");
        assertThat(offenders(modules.nobodyNamesIsolatedClasses())).containsExactly("broker.NamesIsolated");
    }

    @Test
    void shouldFindFilesInTheProtocol() {
        assertThat(offenders(modules.protocolHasNoInputOrOutput())).containsExactly("wire.OpensFile");
    }

    @Test
    void shouldFindFilesThatAreNoPaths() {
        assertThat(offenders(modules.logUsesPathsOnly())).containsExactly("log.KnowsFile");
    }

    @Test
    void shouldFindPackageCycles() {
        assertThat(details(modules.noPackageCycles()))
                .singleElement()
                .asString()
                .contains("Slice " + ROOT + ".coordinator.ping", "Slice " + ROOT + ".coordinator.pong");
    }

    @Test
    void shouldFindUnmarkedPackages() {
        assertThat(offenders(modules.packagesAreNullMarked()))
                .contains("log.Segment", "stray.Stray")
                .doesNotContain("wire.ObeysAll");
    }

    @Test
    void shouldFindClocksCalledAndReferredTo() {
        assertThat(origins(calls.noDirectClock()))
                .containsExactly(
                        "log.ReadsClocks.asksCalendar()",
                        "log.ReadsClocks.asksOldCalendar()",
                        "log.ReadsClocks.calls()",
                        "log.ReadsClocks.refers()");
    }

    @Test
    void shouldFindSleeps() {
        assertThat(origins(calls.noSleep())).containsExactly("log.Sleeps.onThread()", "log.Sleeps.onUnit()");
    }

    @Test
    void shouldFindChance() {
        assertThat(origins(calls.noDirectChance()))
                .containsExactly(
                        "log.MakesChance.asksDefault()",
                        "log.MakesChance.asksMath()",
                        "log.MakesChance.asksThread()",
                        "log.MakesChance.creates()",
                        "log.MakesChance.createsSecure()",
                        "log.MakesChance.makesId()",
                        "log.MakesChance.shufflesAnyhow(java.util.List)");
    }

    @Test
    void shouldFindBareExceptions() {
        assertThat(origins(calls.noBareExceptions()))
                .containsExactly("log.ThrowsAnything.isBare(boolean)", "log.ThrowsAnything.isUnsupported(boolean)");
    }

    @Test
    void shouldFindGeneralExceptionsDeclared() {
        assertThat(origins(calls.noThrowsException())).containsExactly("log.ThrowsAnything.declares(boolean)");
    }

    private static List<String> details(ArchRule rule) {
        return rule.evaluate(PLANTED).getFailureReport().getDetails();
    }

    /** Returns the planted classes that a rule complains about, sorted, named from the planted root on. */
    private static Iterable<String> offenders(ArchRule rule) {
        return firstMatches(rule, Pattern.compile(Pattern.quote(ROOT) + "\\.([a-z.]+\\.[A-Z]\\w*)"));
    }

    /** Returns the planted methods that a rule complains about, sorted, named from the planted root on. */
    private static Iterable<String> origins(ArchRule rule) {
        return firstMatches(rule, Pattern.compile(Pattern.quote(ROOT) + "\\.([a-z.]+\\.[A-Z]\\w*\\.\\w+\\([^)]*\\))"));
    }

    private static Iterable<String> firstMatches(ArchRule rule, Pattern name) {
        TreeSet<String> found = new TreeSet<>();
        for (String detail : details(rule)) {
            name.matcher(detail)
                    .results()
                    .findFirst()
                    .map(RulesFindViolationsTest::firstGroup)
                    .ifPresent(found::add);
        }
        return found;
    }

    private static String firstGroup(MatchResult match) {
        return match.group(1);
    }
}
