package io.millrace.systemtests.planted.coordinator.quorum;

import org.apache.kafka.common.TopicPartition;

record KnowsKafkaToo(TopicPartition partition) {}
