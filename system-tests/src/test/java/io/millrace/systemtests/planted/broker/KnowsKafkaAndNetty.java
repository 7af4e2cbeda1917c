package io.millrace.systemtests.planted.broker;

import io.netty.buffer.ByteBuf;
import org.apache.kafka.common.TopicPartition;

record KnowsKafkaAndNetty(TopicPartition partition, ByteBuf bytes) {}
