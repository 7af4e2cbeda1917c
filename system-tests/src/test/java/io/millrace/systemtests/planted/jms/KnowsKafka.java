package io.millrace.systemtests.planted.jms;

import org.apache.kafka.common.TopicPartition;

record KnowsKafka(TopicPartition partition) {}
