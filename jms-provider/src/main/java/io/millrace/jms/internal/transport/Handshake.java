package io.millrace.jms.internal.transport;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Hello;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.Login;
import io.millrace.wire.frame.LoginChallenge;
import io.millrace.wire.frame.LoginOk;
import io.millrace.wire.login.ClientLogin;
import io.millrace.wire.login.LoginException;
import io.millrace.wire.login.LoginMechanism;
import io.millrace.wire.login.ScramHash;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * From the agreed version to the accepted login: HELLO_SENT -> LOGGING_IN -> DONE, or failed. Confined to the loop, except that answers to
 * challenges are computed elsewhere, since they take up to a second.
 */
final class Handshake {

    /** What becomes of it; one of the two is called, once. */
    interface Outcome {
        void onEstablished(HelloOk server);

        void onRefused(ConnectException why);
    }

    private static final String PRODUCT = "millrace-jms";

    private final LinkSettings settings;
    private final ServerAddress address;
    private final RandomGenerator random;
    private final Executor loop;
    private final Executor background;
    private final Consumer<Frame> output;
    private final Outcome outcome;
    private Optional<HelloOk> server = Optional.empty();
    private Optional<ClientLogin> login = Optional.empty();
    private boolean over;

    Handshake(
            LinkSettings settings,
            ServerAddress address,
            RandomGenerator random,
            Executor loop,
            Executor background,
            Consumer<Frame> output,
            Outcome outcome) {
        this.settings = settings;
        this.address = address;
        this.random = random;
        this.loop = loop;
        this.background = background;
        this.output = output;
        this.outcome = outcome;
    }

    /** Without a user there is but one way to log in: the answer to Hello need not be waited for. */
    void begin() {
        output.accept(new Hello(settings.clientUuid(), PRODUCT, settings.version()));
        if (settings.login().isEmpty()) {
            startLogin(ClientLogin.none());
        }
    }

    void onFrame(Frame frame) {
        if (over) {
            return;
        }
        try {
            if (frame instanceof HelloOk hello && server.isEmpty()) {
                server = Optional.of(hello);
                onOffered(hello.mechanisms());
            } else if (frame instanceof LoginChallenge challenge && login.isPresent()) {
                answer(login.get(), challenge.data());
            } else if (frame instanceof LoginOk ok && login.isPresent() && server.isPresent()) {
                login.get().onOk(ok.data());
                over = true;
                outcome.onEstablished(server.get());
            } else if (frame instanceof Failure failure) {
                refuse(failure.code(), failure.message());
            } else if (frame instanceof Goodbye goodbye) {
                onGoodbye(goodbye);
            } else {
                refuse(ErrorCode.INVALID_REQUEST, "it sent " + frame.type() + " during the handshake");
            }
        } catch (LoginException failed) {
            refuse(ErrorCode.AUTHENTICATION_FAILED, failed.getMessage());
        }
    }

    private void onGoodbye(Goodbye goodbye) {
        if (goodbye.code() == ErrorCode.FRAME_TOO_LARGE) {
            refuse(ErrorCode.AUTHENTICATION_FAILED, "user or password are too long: " + goodbye.reason());
        } else {
            refuse(goodbye.code() == ErrorCode.NONE ? ErrorCode.SHUTTING_DOWN : goodbye.code(), goodbye.reason());
        }
    }

    private void onOffered(List<String> mechanisms) {
        if (mechanisms.isEmpty()) {
            // It lets nobody in from here, and says why to whoever tries.
            if (login.isEmpty()) {
                startLogin(ClientLogin.none());
            }
            return;
        }
        Optional<ClientLogin> chosen = choose(mechanisms);
        if (chosen.isEmpty()) {
            refuse(
                    ErrorCode.AUTHENTICATION_FAILED,
                    settings.login().isPresent()
                            ? "it offers only logins that would show the password to the network: " + mechanisms
                                    + "; connect to a listener with TLS, with tls=true"
                            : "it wants a user and a password (" + mechanisms + "), and none were given");
        } else if (login.isEmpty()) {
            startLogin(chosen.get());
        }
    }

    private void startLogin(ClientLogin exchange) {
        login = Optional.of(exchange);
        output.accept(new Login(exchange.mechanism().wireName(), exchange.first()));
    }

    private void answer(ClientLogin exchange, ByteBuffer challenge) {
        background.execute(() -> {
            ByteBuffer reply;
            try {
                reply = exchange.onChallenge(challenge);
            } catch (LoginException failed) {
                loop.execute(() -> refuse(ErrorCode.AUTHENTICATION_FAILED, failed.getMessage()));
                return;
            }
            loop.execute(() -> output.accept(new Login(exchange.mechanism().wireName(), reply)));
        });
    }

    /** The first one of the server's list that we can do without showing a password to the network. */
    private Optional<ClientLogin> choose(List<String> offered) {
        return offered.stream()
                .flatMap(name -> LoginMechanism.fromWireName(name).stream())
                .flatMap(mechanism -> tryMechanism(mechanism).stream())
                .findFirst();
    }

    private Optional<ClientLogin> tryMechanism(LoginMechanism mechanism) {
        if (mechanism == LoginMechanism.NONE) {
            return Optional.of(ClientLogin.none());
        }
        if (settings.login().isEmpty()) {
            return Optional.empty();
        }
        UserPassword who = settings.login().get();
        if (mechanism == LoginMechanism.PLAIN) {
            boolean unseen = settings.encrypted() || address.loopback();
            return unseen ? Optional.of(ClientLogin.plain(who.user(), who.password())) : Optional.empty();
        }
        return ScramHash.of(mechanism).map(hash -> ClientLogin.scram(hash, who.user(), who.password(), random));
    }

    private void refuse(ErrorCode code, String why) {
        if (!over) {
            over = true;
            outcome.onRefused(
                    new ConnectException(code, "The server at " + address + " refused the connection: " + why));
        }
    }
}
