package io.millrace.systemtests.planted.coordinator.pong;

import io.millrace.systemtests.planted.coordinator.ping.Ping;
import java.util.Optional;

public record Pong(Optional<Ping> question) {}
