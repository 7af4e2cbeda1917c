/**
 * Administration over the native protocol, as the command line uses it. Read {@link io.millrace.jms.admin.MillraceAdmin} first. Its methods
 * wait for the server and may be called from any thread.
 */
@NullMarked
package io.millrace.jms.admin;

import org.jspecify.annotations.NullMarked;
