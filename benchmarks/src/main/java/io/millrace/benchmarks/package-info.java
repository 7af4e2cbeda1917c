/**
 * {@code ./millrace bench}: what Millrace does in a second, beside ActiveMQ Artemis and alone, and how far it scales. Nothing here is
 * shipped, and nothing is part of the tests but a short run that shows that the benchmarks themselves work.
 *
 * <p>Read {@link io.millrace.benchmarks.BenchCommand} first. {@code jms} compares two brokers, {@code program} is the JMS program that it
 * runs against both.
 *
 * <p>To add a command: write a class with picocli's {@code @Command} in a package below (or, for a part of {@code bench scale}, in
 * {@code scale}), name it in the {@code subcommands} of {@code BenchCommand} (or {@code ScaleCommand}), and take the options that the
 * script gives as a {@code @Mixin} {@link io.millrace.benchmarks.Installation}. A command prints its figures, says for each target
 * whether it was reached, and returns 0 unless it could not measure: targets are judged by people, on a quiet machine.
 *
 * <p>Commands run on the main thread.
 */
@NullMarked
package io.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
