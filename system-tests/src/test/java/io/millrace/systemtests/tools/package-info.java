/**
 * What others wrote, unchanged, against a broker in a process of its own: Kafka's command-line tools, Streams, Connect and MirrorMaker, an old
 * Java client, and clients of other languages. Read {@link io.millrace.systemtests.tools.KafkaToolsTest} first. What a test needs from the
 * machine it says with {@link io.millrace.testkit.Requires}.
 */
@NullMarked
package io.millrace.systemtests.tools;

import org.jspecify.annotations.NullMarked;
