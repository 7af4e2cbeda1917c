package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.MillraceInitialContextFactory;
import io.millrace.jms.MillraceQueue;
import io.millrace.jms.MillraceTopic;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.InvalidNameException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import javax.naming.ServiceUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 5: connection factories and destinations by JNDI. */
@SuppressWarnings("BanJNDI") // what is looked up is what the test has named
class AdministeredObjectsTest {

    // ---- 5.1, 5.2: looking up ----

    @Test
    void shouldSendAndReceiveByWhatWasLookedUp() throws NamingException, JMSException {
        try (EmbeddedBroker broker =
                EmbeddedBroker.builder().port(0).temporaryDirectory().start()) {
            Context context = context(Map.of(
                    Context.PROVIDER_URL, broker.url(), "connectionFactory.broker", "", "queue.jms/orders", "orders"));
            ConnectionFactory factory = (ConnectionFactory) context.lookup("broker");
            Queue orders = (Queue) context.lookup("jms/orders");

            try (Connection connection = factory.createConnection();
                    Session session = connection.createSession()) {
                connection.start();
                JmsTexts.send(session, orders, List.of("an apple"));
                assertThat(JmsTexts.receive(session.createConsumer(new MillraceQueue("orders")), 1))
                        .containsExactly("an apple");
            }
        }
    }

    @Test
    void shouldBindWhatThePropertiesName() throws NamingException, JMSException {
        Context context = context(Map.of(
                "connectionFactory.one", "millrace://a:1,b:2?clientID=billing",
                "queue.orders", "",
                "queue.audit", "orders::audit",
                "topic.prices", "stock.prices",
                "unrelated.property", "x"));

        assertThat(url(context, "one"))
                .isEqualTo(new MillraceConnectionFactory("millrace://a:1,b:2?clientID=billing").getUrl());
        assertThat(context.lookup("orders")).isEqualTo(new MillraceQueue("orders"));
        assertThat(context.lookup("audit")).isEqualTo(new MillraceQueue("orders::audit"));
        assertThat(context.lookup(new CompositeName("prices"))).isEqualTo(new MillraceTopic("stock.prices"));
        assertThatThrownBy(() -> context.lookup("ConnectionFactory"))
                .as("the default, when one is named")
                .isInstanceOf(NameNotFoundException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ConnectionFactory", "QueueConnectionFactory", "TopicConnectionFactory", "XAConnectionFactory"})
    void shouldHaveAFactoryByTheUrlOfTheProvider(String name) throws NamingException {
        Context context = context(Map.of(
                Context.PROVIDER_URL,
                "millrace://host:7",
                Context.SECURITY_PRINCIPAL,
                "ann",
                Context.SECURITY_CREDENTIALS,
                "secret"));

        assertThat(url(context, name)).contains("host:7");
        assertThat(((MillraceConnectionFactory) context.lookup(name)).getUser()).isEqualTo("ann");
        assertThat(url(context(Map.of()), name)).contains("localhost:9092");
    }

    @Test
    void shouldHaveADynamicDestinationOfEveryName() throws NamingException, JMSException {
        Context context = context(Map.of());

        assertThat(context.lookup("dynamicQueues/orders")).isEqualTo(new MillraceQueue("orders"));
        assertThat(context.lookup("dynamicTopics/a/b")).isEqualTo(new MillraceTopic("a/b"));
        assertThat(((Context) context.lookup("dynamicQueues")).lookup("orders")).isEqualTo(new MillraceQueue("orders"));
        assertThatThrownBy(() -> context.lookup("dynamicQueues/..")).isInstanceOf(InvalidNameException.class);
    }

    @Test
    void shouldListContextsAndWhatTheyHold() throws NamingException, JMSException {
        Context context = context(Map.of("queue.jms/orders", "", "topic.jms/deep/prices", "prices", "queue.a", ""));

        assertThat(names(context.list(""))).contains("a", "jms", "dynamicQueues", "dynamicTopics", "ConnectionFactory");
        assertThat(names(context.list("jms"))).containsExactly("deep", "orders");
        Context jms = (Context) context.lookup("jms");
        assertThat(jms.getNameInNamespace()).isEqualTo("jms");
        assertThat(jms.lookup("deep/prices")).isEqualTo(new MillraceTopic("prices"));
        List<Object> bound = new ArrayList<>();
        NamingEnumeration<Binding> bindings = jms.listBindings("deep");
        while (bindings.hasMore()) {
            bound.add(bindings.next().getObject());
        }
        assertThat(bound).containsExactly(new MillraceTopic("prices"));
        assertThatThrownBy(() -> context.list("a")).isInstanceOf(NotContextException.class);
        assertThatThrownBy(() -> context.list("b")).isInstanceOf(NameNotFoundException.class);
    }

    // ---- what it refuses ----

    @Test
    void shouldSayWhatIsBoundWhenANameIsNot() {
        assertThatThrownBy(() -> direct(Map.of("queue.orders", "")).lookup("order"))
                .isInstanceOf(NameNotFoundException.class)
                .hasMessageContaining("'order'")
                .hasMessageContaining("orders");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ldap://127.0.0.1:1/x", "rmi://127.0.0.1:1/x", "java:comp/env/jms/x"})
    void shouldAskNoOtherNamingService(String name) {
        assertThatThrownBy(() -> direct(Map.of()).lookup(name)).isInstanceOf(NameNotFoundException.class);
    }

    @Test
    void shouldSayWhichPropertyIsWrong() {
        assertThatThrownBy(() -> direct(Map.of("connectionFactory.bad", "tcp://host:1")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("connectionFactory.bad");
        assertThatThrownBy(() -> direct(Map.of(Context.PROVIDER_URL, "millrace://host:1?no.such=option")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(Context.PROVIDER_URL);
        assertThatThrownBy(() -> direct(Map.of("queue.x", "..")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("queue.x");
        assertThatThrownBy(() -> direct(Map.of("topic.", "prices"))).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> direct(Map.of("queue.same", "a", "topic.same", "b")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("same");
    }

    @Test
    void shouldBeReadOnly() throws NamingException, JMSException {
        Context context = direct(Map.of("queue.orders", ""));
        MillraceQueue other = new MillraceQueue("other");

        assertThatThrownBy(() -> context.bind("other", other)).isInstanceOf(OperationNotSupportedException.class);
        assertThatThrownBy(() -> context.rebind("orders", other)).isInstanceOf(OperationNotSupportedException.class);
        assertThatThrownBy(() -> context.unbind("orders")).isInstanceOf(OperationNotSupportedException.class);
        assertThatThrownBy(() -> context.createSubcontext("x")).isInstanceOf(OperationNotSupportedException.class);
        assertThat(context.lookup("orders")).isEqualTo(new MillraceQueue("orders"));
    }

    @Test
    void shouldAnswerNothingWhenClosed() throws NamingException {
        Context context = direct(Map.of("queue.jms/orders", ""));
        Context jms = (Context) context.lookup("jms");

        context.close();
        context.close();

        assertThatThrownBy(() -> context.lookup("jms/orders")).isInstanceOf(ServiceUnavailableException.class);
        assertThatThrownBy(() -> jms.lookup("orders")).isInstanceOf(ServiceUnavailableException.class);
        assertThatThrownBy(() -> context.list("")).isInstanceOf(ServiceUnavailableException.class);
    }

    // ---- helpers ----

    /** As programs make it. */
    private static Context context(Map<String, String> properties) throws NamingException {
        Hashtable<String, String> environment = environment(properties);
        environment.put(Context.INITIAL_CONTEXT_FACTORY, MillraceInitialContextFactory.class.getName());
        return new InitialContext(environment);
    }

    private static Context direct(Map<String, String> properties) throws NamingException {
        return new MillraceInitialContextFactory().getInitialContext(environment(properties));
    }

    @SuppressWarnings("JdkObsolete") // JNDI's interfaces want it
    private static Hashtable<String, String> environment(Map<String, String> properties) {
        return new Hashtable<>(properties);
    }

    private static String url(Context context, String name) throws NamingException {
        return ((MillraceConnectionFactory) context.lookup(name)).getUrl();
    }

    private static List<String> names(NamingEnumeration<NameClassPair> listed) throws NamingException {
        List<String> names = new ArrayList<>();
        while (listed.hasMore()) {
            names.add(listed.next().getName());
        }
        return names;
    }
}
