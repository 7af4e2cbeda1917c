package io.millrace.systemtests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of the architecture, applied to the classes of all modules. */
class ArchitectureTest {

    private static final String ROOT = "io.millrace";
    private static final JavaClasses SHIPPED = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/jmh_generated/"))
            .importPackages(ROOT);

    private final ModuleRules modules = new ModuleRules(ROOT);
    private final CallRules calls = new CallRules(ROOT);

    /** Guards all tests below: a module that is not on the class path would obey every rule. */
    @Test
    void shouldSeeEveryPackageThatHasSources() throws IOException {
        Set<String> imported = SHIPPED.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());

        assertThat(imported).containsAll(packagesWithSources()).contains("io.millrace.wire", "io.millrace.testkit");
    }

    @Test
    void shouldPointArrowsBetweenModulesOneWay() {
        modules.arrows().check(SHIPPED);
    }

    @Test
    void shouldKeepInternalPackagesInsideTheirModule() {
        modules.internalsStayInside().check(SHIPPED);
    }

    @Test
    void shouldSeeKafkaOnlyInBrokerAndQuorum() {
        modules.kafkaOnlyInBrokerAndQuorum().check(SHIPPED);
    }

    @Test
    void shouldSeeJmsOnlyInClient() {
        modules.jmsOnlyInClient().check(SHIPPED);
    }

    @Test
    void shouldSeeNettyOnlyAtTheEdges() {
        modules.nettyOnlyAtTheEdges().check(SHIPPED);
    }

    @Test
    void shouldSeeMicrometerOnlyInMetrics() {
        modules.micrometerOnlyInMetrics().check(SHIPPED);
    }

    @Test
    void shouldSeeNarayanaOnlyInItsClassLoader() {
        modules.narayanaOnlyInItsClassLoader().check(SHIPPED);
        modules.nobodyNamesIsolatedClasses().check(SHIPPED);
    }

    @Test
    void shouldOpenNothingInTheProtocol() {
        modules.protocolHasNoInputOrOutput().check(SHIPPED);
    }

    @Test
    void shouldReachTheDiskThroughPathsOnly() {
        modules.logUsesPathsOnly().check(SHIPPED);
    }

    @Test
    void shouldHaveNoPackageCycles() {
        modules.noPackageCycles().check(SHIPPED);
    }

    @Test
    void shouldMarkEveryPackage() {
        modules.packagesAreNullMarked().check(SHIPPED);
    }

    @Test
    void shouldReadClocksThroughTimeSourceOnly() {
        calls.noDirectClock().check(SHIPPED);
    }

    @Test
    void shouldNeverSleep() {
        calls.noSleep().check(SHIPPED);
    }

    @Test
    void shouldTakeChanceFromOutside() {
        calls.noDirectChance().check(SHIPPED);
    }

    @Test
    void shouldThrowTypedExceptions() {
        calls.noBareExceptions().check(SHIPPED);
    }

    @Test
    void shouldDeclareNoGeneralExceptions() {
        calls.noThrowsException().check(SHIPPED);
    }

    private static Set<String> packagesWithSources() throws IOException {
        Set<String> packages = new TreeSet<>();
        try (Stream<Path> modules = Files.list(Path.of("..").toRealPath())) {
            for (Path sources : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                packages.addAll(packagesBelow(sources));
            }
        }
        return packages;
    }

    private static List<String> packagesBelow(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.map(file -> sources.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> file.endsWith(".java"))
                    .map(file -> file.substring(0, file.lastIndexOf('/')).replace('/', '.'))
                    .toList();
        }
    }
}
