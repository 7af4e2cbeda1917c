package io.millrace.systemtests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;

/** What shipped code may not call: clocks, sleeps and chance that nobody injected, and failures that say nothing. */
final class CallRules {

    private static final String CONSTRUCTOR = "<init>";
    private static final int ANY = -1;

    private static final List<Call> CLOCKS = List.of(
            new Call("java.lang.System", "nanoTime", ANY),
            new Call("java.lang.System", "currentTimeMillis", ANY),
            new Call("java.time.Instant", "now", ANY),
            new Call("java.time.LocalDate", "now", ANY),
            new Call("java.time.LocalTime", "now", ANY),
            new Call("java.time.LocalDateTime", "now", ANY),
            new Call("java.time.OffsetDateTime", "now", ANY),
            new Call("java.time.OffsetTime", "now", ANY),
            new Call("java.time.ZonedDateTime", "now", ANY),
            new Call("java.time.Year", "now", ANY),
            new Call("java.time.YearMonth", "now", ANY),
            new Call("java.time.MonthDay", "now", ANY),
            new Call("java.time.Clock", "systemUTC", ANY),
            new Call("java.time.Clock", "systemDefaultZone", ANY),
            new Call("java.time.Clock", "system", ANY),
            new Call("java.time.Clock", "tickMillis", ANY),
            new Call("java.time.Clock", "tickSeconds", ANY),
            new Call("java.time.Clock", "tickMinutes", ANY),
            new Call("java.time.InstantSource", "system", ANY),
            new Call("java.util.Date", CONSTRUCTOR, 0),
            new Call("java.util.Calendar", "getInstance", ANY),
            new Call("java.util.GregorianCalendar", CONSTRUCTOR, ANY));

    private static final List<Call> SLEEPS = List.of(
            new Call("java.lang.Thread", "sleep", ANY), new Call("java.util.concurrent.TimeUnit", "sleep", ANY));

    private static final List<Call> CHANCE = List.of(
            new Call("java.lang.Math", "random", ANY),
            new Call("java.lang.StrictMath", "random", ANY),
            new Call("java.util.Random", CONSTRUCTOR, ANY),
            new Call("java.util.SplittableRandom", CONSTRUCTOR, ANY),
            new Call("java.security.SecureRandom", CONSTRUCTOR, ANY),
            new Call("java.security.SecureRandom", "getInstance", ANY),
            new Call("java.security.SecureRandom", "getInstanceStrong", ANY),
            new Call("java.util.concurrent.ThreadLocalRandom", "current", ANY),
            new Call("java.util.random.RandomGenerator", "getDefault", ANY),
            new Call("java.util.random.RandomGenerator", "of", ANY),
            new Call("java.util.random.RandomGeneratorFactory", "of", ANY),
            new Call("java.util.random.RandomGeneratorFactory", "getDefault", ANY),
            new Call("java.util.UUID", "randomUUID", ANY),
            new Call("java.util.Collections", "shuffle", 1));

    /** The one class that reads the machine's clocks. */
    private static final Set<String> MAY_READ_CLOCKS = Set.of("wire.time.SystemTimeSource");

    /** Where object graphs are assembled: each of these makes the source of chance that it then hands down. */
    private static final Set<String> MAY_MAKE_CHANCE = Set.of(
            "broker.BrokerAssembly",
            "jms.MillraceConnectionFactory",
            "server.internal.command.PerfKafkaCommands",
            "systemtests.verify.VerifyCommand",
            "benchmarks.micro.LogBenchmark");

    /** What a thrown exception must not be: it names neither what failed nor what to do. */
    private static final Set<String> SAYS_NOTHING = Set.of(
            "java.lang.Throwable",
            "java.lang.Exception",
            "java.lang.RuntimeException",
            "java.lang.Error",
            "java.lang.UnsupportedOperationException");

    private final String root;

    CallRules(String root) {
        this.root = root;
    }

    ArchRule noDirectClock() {
        return noCalls("read a clock; take a TimeSource instead", CLOCKS, MAY_READ_CLOCKS);
    }

    ArchRule noSleep() {
        return noCalls("sleep; wait for an event or schedule with a TimeSource instead", SLEEPS, Set.of());
    }

    ArchRule noDirectChance() {
        return noCalls("make chance; take a RandomGenerator instead", CHANCE, MAY_MAKE_CHANCE);
    }

    ArchRule noBareExceptions() {
        return shippedClasses(new ArchCondition<JavaClass>("throw exceptions whose type says what happened") {
            @Override
            public void check(JavaClass javaClass, ConditionEvents events) {
                for (JavaConstructorCall call : javaClass.getConstructorCallsFromSelf()) {
                    // An exception's own constructor calls that of its parent.
                    boolean isParent = javaClass
                            .getRawSuperclass()
                            .filter(parent -> parent.equals(call.getTargetOwner()))
                            .isPresent();
                    if (SAYS_NOTHING.contains(call.getTargetOwner().getName()) && !isParent) {
                        events.add(SimpleConditionEvent.violated(call, call.getDescription()));
                    }
                }
            }
        });
    }

    ArchRule noThrowsException() {
        return noCodeUnits()
                .that()
                // The compiler's bridge to Callable.call() throws what that declares, whatever its author wrote.
                .doNotHaveModifier(JavaModifier.BRIDGE)
                .and()
                .areDeclaredInClassesThat()
                .resideInAPackage(root + "..")
                .and()
                .areDeclaredInClassesThat()
                .resideOutsideOfPackage(root + ".testkit..")
                .should()
                .declareThrowableOfType(Exception.class)
                .orShould()
                .declareThrowableOfType(Throwable.class);
    }

    private ArchRule noCalls(String what, List<Call> forbidden, Set<String> excusedNames) {
        return shippedClasses(new ArchCondition<JavaClass>("not " + what) {
            @Override
            public void check(JavaClass javaClass, ConditionEvents events) {
                if (excusedNames.stream().anyMatch(name -> isOrIsInside(javaClass, root + "." + name))) {
                    return;
                }
                for (JavaCodeUnitAccess<?> access : javaClass.getCodeUnitAccessesFromSelf()) {
                    if (forbidden.stream().anyMatch(call -> call.matches(access.getTarget()))) {
                        events.add(SimpleConditionEvent.violated(access, access.getDescription()));
                    }
                }
            }
        });
    }

    private ArchRule shippedClasses(ArchCondition<JavaClass> condition) {
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackage(root + ".testkit..")
                .should(condition);
    }

    private static boolean isOrIsInside(JavaClass javaClass, String name) {
        return javaClass.getName().equals(name) || javaClass.getName().startsWith(name + "$");
    }

    /**
     * A method or constructor of the JDK.
     *
     * @param parameterCount number of parameters of the one meant, or {@link #ANY}
     */
    private record Call(String owner, String name, int parameterCount) {

        boolean matches(CodeUnitAccessTarget target) {
            return target.getOwner().getName().equals(owner)
                    && target.getName().equals(name)
                    && (parameterCount == ANY || target.getRawParameterTypes().size() == parameterCount);
        }
    }
}
