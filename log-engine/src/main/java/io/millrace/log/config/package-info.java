/**
 * Configuration keys: declared once, with type, default, validation and documentation. Read {@link io.millrace.log.config.ConfigKey} first.
 *
 * <p>It lives here because this is the lowest module with settings; the modules above declare their keys with it. Everything is immutable
 * and usable from any thread.
 */
@NullMarked
package io.millrace.log.config;

import org.jspecify.annotations.NullMarked;
