package io.millrace.benchmarks.jms;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.program.Measurement;
import io.millrace.benchmarks.program.Workloads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Outcomes as people and as programs read them. */
final class Report {
    private Report() {}

    static String text(Outcome outcome) {
        Plan plan = outcome.plan();
        StringBuilder text = new StringBuilder();
        text.append("%n%s: %s, 1 KiB%n"
                .formatted(plan.workload(), Workloads.named(plan.workload()).description()));
        line(text, "", "Millrace", "Artemis", outcome.compared() ? "ratio min / median / max" : "");
        figure(text, outcome, "per second", "%,.0f", Measurement::perSecond, plan.goal() == Plan.Goal.RATE);
        if (plan.showsLatency()) {
            figure(text, outcome, "p50, us", "%,.0f", run -> run.p50Ns() / 1e3, false);
            figure(text, outcome, "p99, us", "%,.0f", run -> run.p99Ns() / 1e3, plan.goal() == Plan.Goal.P99);
        }
        if (plan.nearDisk()) {
            text.append("  fdatasync alone, p50: %,.0f us; our p50 is %,.0f us above it, target <= 300: %s%n"
                    .formatted(
                            outcome.rawP50() / 1e3,
                            outcome.overDiskNs().median() / 1e3,
                            outcome.nearDisk() ? "reached" : "MISSED"));
        } else {
            text.append("  fdatasync alone, p50: %,.0f us%n".formatted(outcome.rawP50() / 1e3));
        }
        figure(text, outcome, "broker CPU s per million", "%,.1f", Measurement::brokerCpuSecondsPerMillion, false);
        figure(text, outcome, "client CPU s per million", "%,.1f", Measurement::clientCpuSecondsPerMillion, false);
        line(
                text,
                "broker memory after, MB",
                "%,d".formatted(outcome.ourResidentBytes() >> 20),
                outcome.compared() ? "%,d".formatted(outcome.theirResidentBytes() >> 20) : "",
                "");
        text.append("  %s%n".formatted(outcome.disturbance().text()));
        return text.toString();
    }

    private static void figure(
            StringBuilder text,
            Outcome outcome,
            String name,
            String format,
            ToDoubleFunction<Measurement> figure,
            boolean isGoal) {
        String ratio = "";
        if (outcome.compared()) {
            Outcome.Spread spread = outcome.ratio(figure);
            ratio = "%.2f / %.2f / %.2f".formatted(spread.min(), spread.median(), spread.max());
            if (isGoal) {
                ratio += ", target %s: %s"
                        .formatted(
                                outcome.plan().targetText(),
                                outcome.plan().reachedBy(spread.median()) ? "reached" : "MISSED");
            }
        }
        line(
                text,
                name,
                format.formatted(Outcome.median(outcome.ours(), figure)),
                outcome.compared() ? format.formatted(Outcome.median(outcome.theirs(), figure)) : "",
                ratio);
    }

    private static void line(StringBuilder text, String name, String ours, String theirs, String ratio) {
        text.append("  %-26s %12s %12s  %s".formatted(name, ours, theirs, ratio).stripTrailing())
                .append(System.lineSeparator());
    }

    static void writeJson(List<Outcome> outcomes, Path file) {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode();
        for (Outcome outcome : outcomes) {
            ObjectNode node = root.putObject(outcome.plan().workload());
            node.put("goal", outcome.plan().goal().name().toLowerCase(Locale.ROOT));
            node.put("target", outcome.plan().targetText());
            node.put("void", outcome.disturbance().tooMuch());
            outcome.disturbance().loadBefore().ifPresent(load -> node.put("loadBefore", load));
            node.put("othersCpuShare", outcome.disturbance().othersCpuShare());
            if (outcome.compared()) {
                Outcome.Spread ratio = outcome.ratio();
                node.putObject("ratio")
                        .put("min", ratio.min())
                        .put("median", ratio.median())
                        .put("max", ratio.max())
                        .put("reached", outcome.plan().reachedBy(ratio.median()));
            }
            ArrayNode raw = node.putArray("rawP50Ns");
            outcome.rawP50Ns().forEach(raw::add);
            side(node.putObject("millrace"), outcome.ours(), outcome.ourResidentBytes());
            side(node.putObject("artemis"), outcome.theirs(), outcome.theirResidentBytes());
        }
        try {
            mapper.writeValue(file.toFile(), root);
        } catch (IOException e) {
            throw new BenchmarkException("cannot write " + file + ": " + e, e);
        }
    }

    private static void side(ObjectNode node, List<Measurement> runs, long residentBytes) {
        node.put("residentBytes", residentBytes);
        ArrayNode array = node.putArray("runs");
        for (Measurement run : runs) {
            array.addObject()
                    .put("perSecond", run.perSecond())
                    .put("operations", run.operations())
                    .put("elapsedNs", run.elapsedNs())
                    .put("p50Ns", run.p50Ns())
                    .put("p99Ns", run.p99Ns())
                    .put("brokerCpuMs", run.brokerCpuMs())
                    .put("clientCpuMs", run.clientCpuMs());
        }
    }
}
