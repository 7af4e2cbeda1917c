package io.millrace.systemtests.planted.log;

import io.netty.buffer.ByteBuf;

record KnowsNetty(ByteBuf bytes) {}
