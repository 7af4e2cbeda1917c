/**
 * The configuration of a broker. Read {@link io.millrace.broker.config.BrokerConfig} first; {@link
 * io.millrace.broker.config.BrokerKeys} declares the settings of this module. Everything is immutable and usable from any thread.
 */
@NullMarked
package io.millrace.broker.config;

import org.jspecify.annotations.NullMarked;
