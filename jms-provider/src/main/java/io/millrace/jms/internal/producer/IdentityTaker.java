package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.transport.LinkException;

/** Who asked for a producer id. One of the two is called, on the loop, once. */
interface IdentityTaker {

    void onGiven(ProducerIdentity identity);

    void onFailed(LinkException why);
}
