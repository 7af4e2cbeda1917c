package io.millrace.systemtests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/** Who may know whom: the arrows between modules, what is internal, and which libraries are seen where. */
final class ModuleRules {

    /** Module package below the root, and the modules it may use: all those to its left in the picture of the architecture. */
    private static final Map<String, Set<String>> ARROWS = Map.of(
            "wire", Set.of(),
            "testkit", Set.of("wire"),
            "log", Set.of("wire"),
            "coordinator", Set.of("wire", "log"),
            "broker", Set.of("wire", "log", "coordinator"),
            "jms", Set.of("wire"),
            "server", Set.of("wire", "log", "coordinator", "broker", "jms"),
            "benchmarks", Set.of("wire", "log", "coordinator", "broker", "jms", "testkit"),
            "systemtests", Set.of("wire", "log", "coordinator", "broker", "jms", "server", "testkit"));

    private final String root;

    ModuleRules(String root) {
        this.root = root;
    }

    ArchRule arrows() {
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .should(new ArchCondition<JavaClass>("belong to a known module and use only modules that it may know") {
                    @Override
                    public void check(JavaClass javaClass, ConditionEvents events) {
                        String from = moduleOf(javaClass);
                        Set<String> allowed = ARROWS.get(from);
                        if (allowed == null) {
                            String message =
                                    javaClass.getName() + " is in no known module; add its arrows to ModuleRules";
                            events.add(SimpleConditionEvent.violated(javaClass, message));
                            return;
                        }
                        for (Dependency dependency : javaClass.getDirectDependenciesFromSelf()) {
                            String to = moduleOf(dependency.getTargetClass());
                            if (!to.isEmpty() && !to.equals(from) && !allowed.contains(to)) {
                                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                            }
                        }
                    }
                });
    }

    ArchRule internalsStayInside() {
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .should(new ArchCondition<JavaClass>("not use the internal packages of another module") {
                    @Override
                    public void check(JavaClass javaClass, ConditionEvents events) {
                        for (Dependency dependency : javaClass.getDirectDependenciesFromSelf()) {
                            JavaClass target = dependency.getTargetClass();
                            String to = moduleOf(target);
                            if (!to.isEmpty() && !to.equals(moduleOf(javaClass)) && isInternal(target)) {
                                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                            }
                        }
                    }
                });
    }

    /**
     * Kafka's classes stay where they can be replaced: behind the Kafka door and the quorum's interface; where they are measured; and in the
     * commands that are Kafka clients.
     */
    ArchRule kafkaOnlyInBrokerAndQuorum() {
        return onlyIn(
                "org.apache.kafka..",
                root + ".broker..",
                root + ".coordinator.quorum..",
                root + ".benchmarks.micro..",
                root + ".benchmarks.kafka..",
                root + ".systemtests.verify..",
                root + ".server.internal.kafka..");
    }

    /** The servers' logic works on neutral messages; only the client, and the programs that are clients, know the JMS API. */
    ArchRule jmsOnlyInClient() {
        return onlyIn(
                "jakarta.jms..", root + ".jms..", root + ".server..", root + ".systemtests..", root + ".benchmarks..");
    }

    ArchRule nettyOnlyAtTheEdges() {
        return onlyIn("io.netty..", root + ".broker..", root + ".jms..");
    }

    /** What is counted is known to all of the broker; how it is shown is a matter of one package. */
    ArchRule micrometerOnlyInMetrics() {
        return onlyIn("io.micrometer..", root + ".broker.internal.metrics..");
    }

    /**
     * The broker's copy of Narayana is loaded by a class loader of its own, together with the classes that extend it: whoever else named one
     * of them would get the application's. The client has helpers for applications that use it, and one such application is killed by verify.
     */
    ArchRule narayanaOnlyInItsClassLoader() {
        String isolated = root + ".broker.internal.transaction.narayana.isolated..";
        return onlyIn("com.arjuna..", isolated, root + ".jms.narayana..", root + ".systemtests.verify..");
    }

    /** See {@link #narayanaOnlyInItsClassLoader}. */
    ArchRule nobodyNamesIsolatedClasses() {
        String isolated = root + ".broker.internal.transaction.narayana.isolated..";
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackage(isolated)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(isolated);
    }

    /** Whoever speaks the protocol decides on which thread and over what: the protocol itself opens nothing. */
    ArchRule protocolHasNoInputOrOutput() {
        return noClasses()
                .that()
                .resideInAPackage(root + ".wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.File")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.Thread");
    }

    /** Everything that the log does to the disk passes {@code java.nio.file}, where a test can put a disk that lies. */
    ArchRule logUsesPathsOnly() {
        return noClasses()
                .that()
                .resideInAPackage(root + ".log..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.File")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.RandomAccessFile")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.nio.MappedByteBuffer");
    }

    /**
     * Below a module's root package no packages know each other in a circle. The root package itself is left out: it holds the
     * interfaces that the packages below implement, and the entry point that creates them.
     */
    ArchRule noPackageCycles() {
        return SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                        String module = moduleOf(javaClass);
                        return module.isEmpty() || javaClass.getPackageName().equals(root + "." + module)
                                ? SliceIdentifier.ignore()
                                : SliceIdentifier.of(javaClass.getPackageName());
                    }

                    @Override
                    public String getDescription() {
                        return "packages below the root of a module";
                    }
                })
                .should()
                .beFreeOfCycles();
    }

    /** Without the annotation NullAway would not look at the package. */
    ArchRule packagesAreNullMarked() {
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .should(
                        new ArchCondition<JavaClass>(
                                "be in a package that a package-info.java describes and marks @NullMarked") {
                            @Override
                            public void check(JavaClass javaClass, ConditionEvents events) {
                                if (!javaClass.getPackage().isAnnotatedWith(NullMarked.class)) {
                                    String message = javaClass.getName()
                                            + ": its package has no package-info.java with @NullMarked";
                                    events.add(SimpleConditionEvent.violated(javaClass, message));
                                }
                            }
                        });
    }

    private ArchRule onlyIn(String library, String... packages) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library);
    }

    /** Returns the first name below the root package, or "" for classes of others. */
    private String moduleOf(JavaClass javaClass) {
        String name = javaClass.getPackageName();
        if (!name.startsWith(root + ".")) {
            return "";
        }
        String below = name.substring(root.length() + 1);
        int dot = below.indexOf('.');
        return dot < 0 ? below : below.substring(0, dot);
    }

    private static boolean isInternal(JavaClass javaClass) {
        return (javaClass.getPackageName() + ".").contains(".internal.");
    }
}
