/**
 * For applications whose transaction manager is Narayana without an application server: recovery that ends after one pass, whatever moment
 * the application crashed at. docs/exactly-once.md has a complete example. Whoever uses these classes has Narayana on the class path
 * ({@code narayana-jta}, {@code jboss-transaction-spi}); nobody else needs it.
 *
 * <p>Narayana knows by a branch's {@link io.millrace.jms.narayana.NamedXAResource name}, after a crash between two commits, that the resource
 * which committed before has nothing to do any more. The name has to be there when the resource is enlisted ({@link
 * io.millrace.jms.narayana.NamedXAConnectionFactory}), in Narayana's log ({@link io.millrace.jms.narayana.ResourceNames}), and in recovery
 * ({@link io.millrace.jms.narayana.RecoveryHelper}). All classes are safe for all threads.
 */
@NullMarked
package io.millrace.jms.narayana;

import org.jspecify.annotations.NullMarked;
