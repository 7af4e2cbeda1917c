package io.millrace.jms;

import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.jms.internal.context.MillraceContext;
import io.millrace.jms.internal.context.MillraceXAContext;
import io.millrace.jms.internal.options.Option;
import io.millrace.jms.internal.options.ServiceUrl;
import io.millrace.jms.internal.options.TlsOptions;
import io.millrace.jms.internal.session.ConnectionAssembly;
import io.millrace.jms.internal.transport.UserPassword;
import io.millrace.wire.time.SystemTimeSource;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import java.io.Serializable;
import java.security.SecureRandom;
import java.util.Optional;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/**
 * The entry to Millrace for programs: {@code new MillraceConnectionFactory("millrace://localhost:9092")}.
 *
 * <p>The URL is {@code millrace://host:port,host:port?option=value&option=value}; the hosts are tried in turn. Each option is a property of
 * this bean too. Times are in milliseconds. Set up by one thread, then usable from any; may be serialized and bound in JNDI.
 *
 * <p>While a connection is open its network thread keeps the program alive.
 */
public final class MillraceConnectionFactory
        implements ConnectionFactory,
                QueueConnectionFactory,
                TopicConnectionFactory,
                XAConnectionFactory,
                XAQueueConnectionFactory,
                XATopicConnectionFactory,
                Serializable,
                Referenceable {

    private static final long serialVersionUID = 1L;
    private static final String DEFAULT_URL = "millrace://localhost:9092";
    private static final SecureRandom RANDOM = new SecureRandom();

    private ServiceUrl url;

    /** Connects to the default port of this machine, unless a URL is set. */
    public MillraceConnectionFactory() {
        this(DEFAULT_URL);
    }

    /**
     * Connects to the brokers of a URL.
     *
     * @param url {@code millrace://host:port,host:port?option=value}
     * @throws IllegalArgumentException if it is no such URL, or has an unknown option or a value out of range
     */
    public MillraceConnectionFactory(String url) {
        this.url = ServiceUrl.parse(url);
    }

    // ---- connections ----

    @Override
    public Connection createConnection() throws JMSException {
        return assembly().open(ownLogin());
    }

    @Override
    public Connection createConnection(@Nullable String user, @Nullable String password) throws JMSException {
        return assembly().open(login(user, password));
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return assembly().openForQueues(ownLogin());
    }

    @Override
    public QueueConnection createQueueConnection(@Nullable String user, @Nullable String password) throws JMSException {
        return assembly().openForQueues(login(user, password));
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return assembly().openForTopics(ownLogin());
    }

    @Override
    public TopicConnection createTopicConnection(@Nullable String user, @Nullable String password) throws JMSException {
        return assembly().openForTopics(login(user, password));
    }

    @Override
    public JMSContext createContext() {
        return createContext(JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return MillraceContext.create(this::createConnection, sessionMode);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password) {
        return createContext(user, password, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password, int sessionMode) {
        return MillraceContext.create(() -> createConnection(user, password), sessionMode);
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return assembly().openXa(ownLogin());
    }

    @Override
    public XAConnection createXAConnection(@Nullable String user, @Nullable String password) throws JMSException {
        return assembly().openXa(login(user, password));
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return assembly().openXaForQueues(ownLogin());
    }

    @Override
    public XAQueueConnection createXAQueueConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return assembly().openXaForQueues(login(user, password));
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return assembly().openXaForTopics(ownLogin());
    }

    @Override
    public XATopicConnection createXATopicConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return assembly().openXaForTopics(login(user, password));
    }

    @Override
    public XAJMSContext createXAContext() {
        return MillraceXAContext.create(this::createXAConnection);
    }

    @Override
    public XAJMSContext createXAContext(@Nullable String user, @Nullable String password) {
        return MillraceXAContext.create(() -> createXAConnection(user, password));
    }

    /**
     * Opens a connection for administration.
     *
     * @throws io.millrace.jms.admin.MillraceAdminException if the server cannot be reached, or refuses the login
     */
    public MillraceAdmin createAdmin() {
        return MillraceAdmin.open(() -> assembly().openForAdmin(ownLogin()));
    }

    private ConnectionAssembly assembly() {
        // A copy: what is set later is for later connections.
        return new ConnectionAssembly(ServiceUrl.parse(url.toUrl()), SystemTimeSource.instance(), RANDOM);
    }

    private Optional<UserPassword> ownLogin() {
        return login(url.get(Option.USER), url.get(Option.PASSWORD));
    }

    private static Optional<UserPassword> login(@Nullable String user, @Nullable String password) {
        if (user == null || user.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new UserPassword(user, password == null ? "" : password));
    }

    // ---- properties ----

    /** Returns the URL, without passwords. */
    public String getUrl() {
        return url.toString();
    }

    /** Sets hosts and options anew; what the URL does not name has its default. */
    public void setUrl(String url) {
        this.url = ServiceUrl.parse(url);
    }

    /** Returns who logs in if createConnection does not say. */
    public String getUser() {
        return url.get(Option.USER);
    }

    /** Sets who logs in if createConnection does not say. */
    public void setUser(String user) {
        url.set(Option.USER, user);
    }

    /** Returns whether a password is set. */
    public boolean hasPassword() {
        return url.find(Option.PASSWORD).isPresent();
    }

    /** Sets the password of the user. There is no method that returns it. */
    public void setPassword(String password) {
        url.set(Option.PASSWORD, password);
    }

    /** Returns the client id of the connections, empty if they have none. */
    public String getClientID() {
        return url.get(Option.CLIENT_ID);
    }

    /** Sets the client id of the connections: only one can be open at a time then. */
    public void setClientID(String clientId) {
        url.set(Option.CLIENT_ID, clientId);
    }

    /** Returns how many messages a consumer has ahead of the application at most. */
    public int getPrefetch() {
        return (int) url.number(Option.PREFETCH);
    }

    /** Sets how many messages a consumer has ahead of the application at most: 1 to 100,000. */
    public void setPrefetch(int messages) {
        set(Option.PREFETCH, messages);
    }

    /** Returns how long a send waits for its answer. */
    public long getSendTimeout() {
        return url.number(Option.SEND_TIMEOUT);
    }

    /** Sets how long a send waits for its answer before it throws; the message may still be stored then. */
    public void setSendTimeout(long timeoutMs) {
        set(Option.SEND_TIMEOUT, timeoutMs);
    }

    /** Returns how long other calls wait for the server. */
    public long getRequestTimeout() {
        return url.number(Option.REQUEST_TIMEOUT);
    }

    /** Sets how long other calls wait for the server. */
    public void setRequestTimeout(long timeoutMs) {
        set(Option.REQUEST_TIMEOUT, timeoutMs);
    }

    /** Returns how long one attempt to connect may take. */
    public long getConnectTimeout() {
        return url.number(Option.CONNECT_TIMEOUT);
    }

    /** Sets how long one attempt to connect may take, login included. */
    public void setConnectTimeout(long timeoutMs) {
        set(Option.CONNECT_TIMEOUT, timeoutMs);
    }

    /** Returns the delay before the first attempt to connect again. */
    public long getReconnectDelay() {
        return url.number(Option.RECONNECT_DELAY);
    }

    /** Sets the delay before the first attempt to connect again; it doubles with each further one. */
    public void setReconnectDelay(long delayMs) {
        set(Option.RECONNECT_DELAY, delayMs);
    }

    /** Returns the longest delay between two attempts to connect again. */
    public long getReconnectMaxDelay() {
        return url.number(Option.RECONNECT_MAX_DELAY);
    }

    /** Sets the longest delay between two attempts to connect again. */
    public void setReconnectMaxDelay(long delayMs) {
        set(Option.RECONNECT_MAX_DELAY, delayMs);
    }

    /** Returns how long to try to connect again. */
    public long getReconnectTimeout() {
        return url.number(Option.RECONNECT_TIMEOUT);
    }

    /** Sets how long to try to connect again before the connection fails and its ExceptionListener hears of it; 0: not at all. */
    public void setReconnectTimeout(long timeoutMs) {
        set(Option.RECONNECT_TIMEOUT, timeoutMs);
    }

    /** Returns how many bytes of messages of a connection may be on their way. */
    public long getSendBuffer() {
        return url.number(Option.SEND_BUFFER);
    }

    /** Sets how many bytes of messages of a connection may be on their way before its senders wait. */
    public void setSendBuffer(long bytes) {
        set(Option.SEND_BUFFER, bytes);
    }

    /** Returns the compression of what is sent. */
    public String getCompression() {
        return url.get(Option.COMPRESSION);
    }

    /** Sets the compression of what is sent: none, gzip, snappy, lz4 or zstd. */
    public void setCompression(String compression) {
        url.set(Option.COMPRESSION, compression);
    }

    /** Returns the packages whose classes may be deserialized out of object messages. */
    public String getTrustedPackages() {
        return url.get(Option.TRUSTED_PACKAGES);
    }

    /** Sets the packages, separated by commas, whose classes may be deserialized out of object messages. */
    public void setTrustedPackages(String packages) {
        url.set(Option.TRUSTED_PACKAGES, packages);
    }

    /** Returns whether connections are encrypted. */
    public boolean isTls() {
        return TlsOptions.chosen(url);
    }

    /** Sets whether connections are encrypted; the other properties of TLS imply it. */
    public void setTls(boolean tls) {
        url.set(Option.TLS, Boolean.toString(tls));
    }

    /** Returns the PEM file of trusted certificates; empty: those that the JVM trusts. */
    public String getTlsTrust() {
        return url.get(Option.TLS_TRUST);
    }

    /** Sets the PEM file of the certificates that the server's must be one of, or signed by. */
    public void setTlsTrust(String file) {
        url.set(Option.TLS_TRUST, file);
    }

    /** Returns the PEM file of the certificate that the client shows; empty: it shows none. */
    public String getTlsCertificate() {
        return url.get(Option.TLS_CERTIFICATE);
    }

    /** Sets the PEM file of the certificate that the client shows, followed by those that signed it. */
    public void setTlsCertificate(String file) {
        url.set(Option.TLS_CERTIFICATE, file);
    }

    /** Returns the PEM file of the certificate's private key; empty: it is in the file of the certificate. */
    public String getTlsKey() {
        return url.get(Option.TLS_KEY);
    }

    /** Sets the PEM file of the certificate's private key, PKCS#8. */
    public void setTlsKey(String file) {
        url.set(Option.TLS_KEY, file);
    }

    /** Sets what the private key is encrypted with. There is no method that returns it. */
    public void setTlsKeyPassword(String password) {
        url.set(Option.TLS_KEY_PASSWORD, password);
    }

    /** Returns whether the server's certificate must be for the host of the URL. */
    public boolean isTlsVerifyHost() {
        return url.flag(Option.TLS_VERIFY_HOST);
    }

    /** Sets whether the server's certificate must be for the host of the URL: false only where the certificates that are trusted are the servers' own. */
    public void setTlsVerifyHost(boolean verify) {
        url.set(Option.TLS_VERIFY_HOST, Boolean.toString(verify));
    }

    private void set(Option option, long value) {
        url.set(option, Long.toString(value));
    }

    /** The reference holds the password, if one is set. */
    @Override
    public Reference getReference() {
        return new Reference(
                getClass().getName(),
                new StringRefAddr(MillraceObjectFactory.URL_ADDRESS, url.toUrl()),
                MillraceObjectFactory.class.getName(),
                null);
    }

    @Override
    public String toString() {
        return "MillraceConnectionFactory[" + url + "]";
    }
}
