package io.millrace.systemtests.planted.coordinator.ping;

import io.millrace.systemtests.planted.coordinator.pong.Pong;
import java.util.Optional;

public record Ping(Optional<Pong> answer) {}
