package io.millrace.wire.login;

import java.nio.ByteBuffer;
import java.util.Optional;

/** SCRAM of the server, RFC 5802: waits for client-first, then for client-final, then is over; any failure ends it. */
final class ScramServerLogin implements ServerLogin {

    private final ScramHash hash;
    private final CredentialLookup credentials;
    private final String nonce;
    private final byte[] serverSecret;
    private Optional<Challenged> challenged = Optional.empty();
    private boolean over;

    ScramServerLogin(ScramHash hash, CredentialLookup credentials, String nonce, byte[] serverSecret) {
        if (serverSecret.length < 16) {
            throw new LoginException("The server's secret must have at least 16 bytes, has " + serverSecret.length);
        }
        this.hash = hash;
        this.credentials = credentials;
        this.nonce = nonce;
        this.serverSecret = serverSecret.clone();
    }

    @Override
    public LoginMechanism mechanism() {
        return hash.mechanism();
    }

    @Override
    public LoginStep onData(ByteBuffer data) {
        if (over) {
            return new LoginStep.Refused("The " + mechanism().wireName() + " exchange is over");
        }
        try {
            if (challenged.isEmpty()) {
                return onFirst(ScramMessages.text(data));
            }
            over = true;
            return onFinal(ScramMessages.text(data), challenged.get());
        } catch (LoginException invalid) {
            over = true;
            return new LoginStep.Refused(invalid.getMessage());
        }
    }

    private LoginStep onFirst(String clientFirst) {
        String[] parts = clientFirst.split(",", -1);
        if (parts.length < 4) {
            throw new LoginException("SCRAM client-first has too few attributes");
        }
        if (!parts[0].equals(ScramMessages.NO_BINDING) && !parts[0].equals(ScramMessages.NO_BINDING_SEEN)) {
            throw new LoginException("SCRAM client demands channel binding, which is not supported");
        }
        String user = ScramMessages.unescapeName(ScramMessages.attribute(parts[2], 'n'));
        if (user.isEmpty()) {
            throw new LoginException("SCRAM user name is empty");
        }
        if (!parts[1].isEmpty()
                && !ScramMessages.unescapeName(ScramMessages.attribute(parts[1], 'a'))
                        .equals(user)) {
            throw new LoginException("SCRAM client asks to act for another user, which is not supported");
        }
        String clientNonce = ScramMessages.attribute(parts[3], 'r');
        if (clientNonce.isEmpty()) {
            throw new LoginException("SCRAM nonce of the client is empty");
        }
        Optional<ScramCredential> known = credentials.find(user, hash);
        ScramCredential credential =
                known.orElseGet(() -> ScramCredential.unprovable(hash, user, serverSecret, ScramHash.MIN_ITERATIONS));
        String gs2Header = parts[0] + "," + parts[1] + ",";
        String serverFirst = "r=" + clientNonce + nonce + ",s=" + ScramMessages.base64(credential.salt()) + ",i="
                + credential.iterations();
        challenged = Optional.of(new Challenged(
                user,
                known.isPresent(),
                credential,
                gs2Header,
                clientNonce + nonce,
                clientFirst.substring(gs2Header.length()) + "," + serverFirst));
        return new LoginStep.Challenge(ScramMessages.data(serverFirst));
    }

    private LoginStep onFinal(String clientFinal, Challenged state) {
        int proofIndex = clientFinal.lastIndexOf(",p=");
        if (proofIndex < 0) {
            throw new LoginException("SCRAM client-final has no proof");
        }
        String withoutProof = clientFinal.substring(0, proofIndex);
        String[] parts = withoutProof.split(",", -1);
        if (parts.length < 2) {
            throw new LoginException("SCRAM client-final has too few attributes");
        }
        String binding =
                ScramMessages.utf8(ByteBuffer.wrap(ScramMessages.fromBase64(ScramMessages.attribute(parts[0], 'c'))));
        if (!binding.equals(state.gs2Header())) {
            throw new LoginException("SCRAM client-final does not repeat the header of client-first");
        }
        if (!ScramMessages.attribute(parts[1], 'r').equals(state.nonce())) {
            throw new LoginException("SCRAM client-final has the nonce of another exchange");
        }
        byte[] proof = ScramMessages.fromBase64(clientFinal.substring(proofIndex + 3));
        byte[] authMessage = ScramMessages.bytes(state.saidSoFar() + "," + withoutProof);
        // The proof is checked for unknown users too, so that both answers take equally long.
        boolean proven = state.credential().proves(proof, authMessage);
        if (!state.known()) {
            return new LoginStep.Refused("There is no user " + state.user() + " with a " + hash + " credential");
        }
        if (!proven) {
            return new LoginStep.Refused("Wrong password of user " + state.user());
        }
        String verifier = "v=" + ScramMessages.base64(state.credential().serverSignature(authMessage));
        return new LoginStep.Accepted(state.user(), ScramMessages.data(verifier));
    }

    private record Challenged(
            String user, boolean known, ScramCredential credential, String gs2Header, String nonce, String saidSoFar) {}
}
