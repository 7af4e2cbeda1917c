package io.millrace.broker.internal.kafka.security;

import io.millrace.broker.internal.kafka.KafkaExchange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.requests.AbstractResponse;

/** Takes what is forbidden out of requests. */
final class Denied {

    private Denied() {}

    /** Removes what is not allowed, and returns it. */
    static <E> List<E> take(Collection<E> asked, Predicate<? super E> allowed) {
        List<E> denied = new ArrayList<>();
        for (Iterator<E> each = asked.iterator(); each.hasNext(); ) {
            E next = each.next();
            if (!allowed.test(next)) {
                denied.add(next);
                each.remove();
            }
        }
        return denied;
    }

    /** Has an answer completed, if something was denied. */
    static <R extends AbstractResponse> void complete(List<?> denied, KafkaExchange exchange, Consumer<R> completion) {
        if (!denied.isEmpty()) {
            exchange.completeAnswer(completion);
        }
    }
}
