package io.millrace.broker.kafka;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.SaslAuthenticateRequest;
import org.apache.kafka.common.requests.SaslAuthenticateResponse;
import org.apache.kafka.common.requests.SaslHandshakeRequest;

/** A connection that speaks Kafka's protocol byte by byte, for what no client sends. */
final class RawKafka implements AutoCloseable {

    private static final int TIMEOUT_MS = 20_000;

    private final Socket socket;
    private final DataInputStream in;
    private int nextCorrelationId;

    RawKafka(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Socket socket() {
        return socket;
    }

    /** Sends a request; returns its header. */
    RequestHeader send(ApiKeys key, short version, AbstractRequest request) {
        RequestHeader header = new RequestHeader(key, version, "raw", nextCorrelationId++);
        sendBytes(frame(header, request));
        return header;
    }

    /** Returns a request as it goes over the wire, length included. */
    static byte[] frame(RequestHeader header, AbstractRequest request) {
        ByteBuffer bytes = request.serializeWithHeader(header);
        return ByteBuffer.allocate(4 + bytes.remaining())
                .putInt(bytes.remaining())
                .put(bytes)
                .array();
    }

    /** Sends a request and waits for its answer. */
    AbstractResponse ask(ApiKeys key, short version, AbstractRequest request) {
        return AbstractResponse.parseResponse(frameFor(send(key, version, request)), lastHeader(key, version));
    }

    private ByteBuffer frameFor(RequestHeader header) {
        ByteBuffer frame = frame();
        if (frame.getInt(0) != header.correlationId()) {
            throw new AssertionError("answer to " + frame.getInt(0) + " instead of " + header.correlationId());
        }
        return frame;
    }

    private RequestHeader lastHeader(ApiKeys key, short version) {
        return new RequestHeader(key, version, "raw", nextCorrelationId - 1);
    }

    /** Logs in by PLAIN; returns this. */
    RawKafka login(String user, String password) {
        ask(
                ApiKeys.SASL_HANDSHAKE,
                (short) 1,
                new SaslHandshakeRequest(new SaslHandshakeRequestData().setMechanism("PLAIN"), (short) 1));
        SaslAuthenticateResponse answer = (SaslAuthenticateResponse) ask(
                ApiKeys.SASL_AUTHENTICATE,
                (short) 2,
                new SaslAuthenticateRequest(
                        new SaslAuthenticateRequestData()
                                .setAuthBytes(("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8)),
                        (short) 2));
        if (answer.error() != Errors.NONE) {
            throw new AssertionError(user + " is not let in: " + answer.errorMessage());
        }
        return this;
    }

    /** Sends bytes; a peer that has closed meanwhile is met when reading. */
    void sendBytes(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (SocketException closed) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says that nothing more will come, and goes on reading. */
    void shutDownOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the next frame, without its length. */
    ByteBuffer frame() {
        try {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            return ByteBuffer.wrap(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the next frame, without its length, or for the end of the connection, which is empty. */
    Optional<ByteBuffer> answerOrEnd() {
        try {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            return Optional.of(ByteBuffer.wrap(bytes));
        } catch (EOFException | SocketException ended) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads until the broker ends the connection; returns whether it did within a while. */
    boolean isClosedByPeer() {
        try {
            byte[] rest = new byte[8192];
            int read;
            do {
                read = in.read(rest);
            } while (read >= 0);
            return true;
        } catch (EOFException | SocketException ended) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
