package io.millrace.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jms.internal.transport.FakeServer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ClaimClientId;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Login;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.beans.BeanInfo;
import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import javax.naming.Reference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MillraceConnectionFactoryTest {

    private final FakeServer server = new FakeServer();
    private final MillraceConnectionFactory factory =
            new MillraceConnectionFactory("millrace://127.0.0.1:" + server.port());

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void shouldConnectAndLeaveNoThreadBehind() throws JMSException {
        try (Connection connection = factory.createConnection()) {
            connection.createSession().createProducer(null);
            assertThat(clientThreads()).isNotEmpty();
        }

        assertThat(server.received(Goodbye.class)).hasSize(1);
        Awaitility.await().until(() -> clientThreads().isEmpty());
    }

    @Test
    void shouldLeaveNoThreadBehindWhenItCannotConnect() throws IOException {
        // Bound, so that nobody else gets the port, and not listening.
        try (Socket nobody = new Socket()) {
            nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            MillraceConnectionFactory lost =
                    new MillraceConnectionFactory("millrace://127.0.0.1:" + nobody.getLocalPort());

            assertThatThrownBy(lost::createConnection)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("Cannot connect");
        }
        Awaitility.await().until(() -> clientThreads().isEmpty());
    }

    @Test
    void shouldThrowASecurityExceptionWhenTheLoginIsRefused() {
        server.answer(Login.class, login -> List.of(new Failure(0, 0, ErrorCode.AUTHENTICATION_FAILED, "no")));

        assertThatThrownBy(() -> factory.createConnection("ann", "wrong")).isInstanceOf(JMSSecurityException.class);
        assertThatThrownBy(() -> factory.createContext("ann", "wrong")).isInstanceOf(JMSRuntimeException.class);
    }

    @Test
    void shouldClaimTheClientIdOfTheFactory() throws JMSException {
        factory.setClientID("payroll");
        try (Connection connection = factory.createConnection()) {
            assertThat(connection.getClientID()).isEqualTo("payroll");
            assertThat(server.received(ClaimClientId.class))
                    .extracting(ClaimClientId::clientId)
                    .containsExactly("payroll");
            assertThatThrownBy(() -> connection.setClientID("other")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldMakeSessionsOfTheTwoDomains() throws JMSException {
        try (QueueConnection queues = factory.createQueueConnection();
                TopicConnection topics = factory.createTopicConnection("ann", "secret");
                QueueSession queueSession = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
                TopicSession topicSession = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE)) {
            assertThatThrownBy(() -> queueSession.createTopic("t")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(queueSession::createTemporaryTopic).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> queueSession.unsubscribe("s")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> topicSession.createQueue("q")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(topicSession::createTemporaryQueue).isInstanceOf(IllegalStateException.class);
            assertThat(queueSession.createSender(queueSession.createQueue("q")).getQueue())
                    .isEqualTo(new MillraceQueue("q"));
            assertThat(topicSession
                            .createPublisher(topicSession.createTopic("t"))
                            .getTopic())
                    .isEqualTo(new MillraceTopic("t"));
            assertThat(queueSession
                            .createReceiver(queueSession.createQueue("q"))
                            .getQueue())
                    .isEqualTo(new MillraceQueue("q"));
            assertThat(topicSession
                            .createSubscriber(topicSession.createTopic("t"))
                            .getTopic())
                    .isEqualTo(new MillraceTopic("t"));
        }
    }

    @Test
    void shouldMakeContexts() {
        try (JMSContext context = factory.createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            assertThat(context.getSessionMode()).isEqualTo(JMSContext.CLIENT_ACKNOWLEDGE);
            assertThat(context.createTextMessage("x")).isNotNull();
        }
    }

    @Test
    void shouldSayWhatItIs() throws JMSException {
        try (Connection connection = factory.createConnection()) {
            ConnectionMetaData data = connection.getMetaData();

            assertThat(data.getJMSVersion()).isEqualTo("3.1");
            assertThat(data.getJMSMajorVersion()).isEqualTo(3);
            assertThat(data.getJMSMinorVersion()).isEqualTo(1);
            assertThat(data.getJMSProviderName()).isEqualTo("Millrace");
            assertThat(data.getProviderVersion()).startsWith("0.1");
            assertThat(data.getProviderMajorVersion()).isZero();
            assertThat(data.getProviderMinorVersion()).isEqualTo(1);
            List<Object> names = new ArrayList<>();
            Enumeration<?> supported = data.getJMSXPropertyNames();
            while (supported.hasMoreElements()) {
                names.add(supported.nextElement());
            }
            assertThat(names).contains("JMSXGroupID", "JMSXDeliveryCount");
        }
    }

    @Test
    void shouldBeSerializableWithItsOptions() throws IOException, ClassNotFoundException {
        factory.setPrefetch(12);
        factory.setPassword("secret");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(factory);
        }

        MillraceConnectionFactory copy;
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            copy = (MillraceConnectionFactory) in.readObject();
        }

        assertThat(copy.getPrefetch()).isEqualTo(12);
        assertThat(copy.getUrl()).isEqualTo(factory.getUrl()).doesNotContain("secret");
    }

    @Test
    void shouldBeMadeAgainOfItsReference() throws JMSException {
        factory.setSendTimeout(1_234);
        factory.setPassword("a&b");
        Reference reference = factory.getReference();

        Object made = new MillraceObjectFactory().getObjectInstance(reference, null, null, null);

        assertThat(made).isInstanceOfSatisfying(MillraceConnectionFactory.class, again -> {
            assertThat(again.getSendTimeout()).isEqualTo(1_234);
            assertThat(again.getReference().get("url").getContent())
                    .isEqualTo(reference.get("url").getContent());
        });
    }

    @Test
    void shouldBeABeanWithAPropertyForEachOption() throws IntrospectionException {
        BeanInfo bean = Introspector.getBeanInfo(MillraceConnectionFactory.class);
        List<String> settable = Arrays.stream(bean.getPropertyDescriptors())
                .filter(property -> property.getWriteMethod() != null)
                .map(PropertyDescriptor::getName)
                .toList();

        assertThat(settable)
                .containsExactlyInAnyOrder(
                        "clientID",
                        "compression",
                        "connectTimeout",
                        "password",
                        "prefetch",
                        "reconnectDelay",
                        "reconnectMaxDelay",
                        "reconnectTimeout",
                        "requestTimeout",
                        "sendBuffer",
                        "sendTimeout",
                        "tls",
                        "tlsCertificate",
                        "tlsKey",
                        "tlsKeyPassword",
                        "tlsTrust",
                        "tlsVerifyHost",
                        "trustedPackages",
                        "url",
                        "user");
    }

    private static List<String> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("millrace-client"))
                .toList();
    }
}
