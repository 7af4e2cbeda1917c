package io.millrace.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.testkit.FakeTimeSource;
import io.millrace.testkit.disk.FakeDisk;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.VoteRequestData;
import org.apache.kafka.common.message.VoteResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.raft.RaftRequest;
import org.apache.kafka.raft.RaftResponse;
import org.junit.jupiter.api.Test;

/** What goes between members, and who is kept out. */
class RaftPeersTest {

    private static final List<QuorumVoter> VOTERS =
            List.of(new QuorumVoter(1, "a", 1), new QuorumVoter(2, "b", 2), new QuorumVoter(3, "c", 3));
    private static final UUID DIRECTORY_1 = new UUID(1, 1);
    private static final UUID DIRECTORY_2 = new UUID(2, 2);
    private static final RaftRequest.Outbound TO_MEMBER_2 =
            new RaftRequest.Outbound(7, new VoteRequestData().setClusterId("test"), new Node(2, "b", 2), 0);

    private record Sent(QuorumVoter peer, ByteBuffer request, CompletableFuture<ByteBuffer> answer) {}

    private final Queue<Sent> sent = new ArrayDeque<>();
    private final Queue<RaftRequest.Inbound> received = new ArrayDeque<>();
    private final RaftPeers member1 = member(1, "test", DIRECTORY_1);
    private final RaftPeers member2 = member(2, "test", DIRECTORY_2);

    @Test
    void shouldCarryARequestThereAndItsAnswerBack() {
        CompletableFuture<RaftResponse.Inbound> answer = send(member1);

        Sent message = sent.remove();
        assertThat(message.peer()).isEqualTo(VOTERS.get(1));
        answer(message, deliver(member2, message));

        RaftRequest.Inbound inbound = received.remove();
        assertThat(inbound.correlationId()).isEqualTo(7);
        assertThat(((VoteRequestData) inbound.data()).clusterId()).isEqualTo("test");
        assertThat(answer.join().correlationId()).isEqualTo(7);
        assertThat(((VoteResponseData) answer.join().data()).errorCode()).isEqualTo((short) 33);
        assertThat(answer.join().source().id()).isEqualTo(2);
    }

    @Test
    void shouldAnswerWithAnErrorAndNeverFailWhenThePeerCannotBeReached() {
        CompletableFuture<RaftResponse.Inbound> answer = send(member1);

        sent.remove().answer().completeExceptionally(new IllegalStateException("connection refused"));

        assertThat(((VoteResponseData) answer.join().data()).errorCode()).isEqualTo(Errors.BROKER_NOT_AVAILABLE.code());
    }

    @Test
    void shouldRefuseMembersOfAnotherCluster() {
        Sent message = request(member(1, "other", DIRECTORY_1));

        assertRefused(member2, message, "is of cluster other, this is test");
    }

    @Test
    void shouldRefuseWhatIsMeantForSomebodyElse() {
        Sent message = request(member1);

        assertRefused(member(3, "test", new UUID(3, 3)), message, "check metadata.voters");
    }

    @Test
    void shouldRefuseAVoterThatComesWithAnotherDirectory() {
        Sent known = request(member1);
        assertThat(deliver(member2, known).toCompletableFuture()).isCompleted();
        received.clear();

        Sent message = request(member(1, "test", new UUID(9, 9)));

        assertRefused(member2, message, "a voter that lost its directory cannot come back under its id");
    }

    @Test
    void shouldIgnoreTheAnswerOfAVoterThatComesWithAnotherDirectory() {
        CompletableFuture<RaftResponse.Inbound> first = send(member1);
        Sent message = sent.remove();
        answer(message, deliver(member2, message));
        assertThat(first).isCompleted();

        CompletableFuture<RaftResponse.Inbound> second = send(member1);
        Sent again = sent.remove();
        answer(again, deliver(member(2, "test", new UUID(9, 9)), again));

        assertThat(second).isNotDone();
    }

    @Test
    void shouldIgnoreTheAnswerToAnotherRequest() {
        CompletableFuture<RaftResponse.Inbound> answer = send(member1);
        Sent message = sent.remove();
        ByteBuffer bytes = deliver(member2, message).toCompletableFuture().join();
        PeerMessage response = PeerMessage.ofResponse(bytes);
        PeerMessage other = new PeerMessage(
                "test", 2, DIRECTORY_2, 1, 8, response.apiKey(), response.apiVersion(), response.body());

        message.answer().complete(other.toResponseBytes());

        assertThat(answer).isNotDone();
    }

    @Test
    void shouldRefuseBytesThatAreNoMessage() {
        ByteBuffer whole = request(member1).request();
        for (int length = 0; length < whole.limit(); length++) {
            ByteBuffer cut = whole.duplicate().limit(length);
            assertThatExceptionOfType(PeerRefusedException.class)
                    .as("%d of %d bytes", length, whole.limit())
                    .isThrownBy(() -> PeerMessage.ofRequest(cut));
        }
        assertThatExceptionOfType(PeerRefusedException.class)
                .isThrownBy(() -> PeerMessage.ofResponse(whole.duplicate()))
                .withMessageContaining("direction");
        assertThatExceptionOfType(PeerRefusedException.class)
                .isThrownBy(() -> PeerMessage.ofRequest(ByteBuffer.wrap(new byte[] {9})))
                .withMessageContaining("format 9");
    }

    @Test
    void shouldSurviveDamagedMessages() {
        ByteBuffer whole = request(member1).request();
        Random random = new Random(1);
        for (int i = 0; i < 5_000; i++) {
            byte[] damaged = new byte[whole.limit()];
            whole.duplicate().get(damaged);
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            CompletableFuture<ByteBuffer> answer =
                    deliver(member2, ByteBuffer.wrap(damaged)).toCompletableFuture();
            assertThat(answer).isDone();
        }
    }

    private void assertRefused(RaftPeers receiver, Sent message, String why) {
        CompletableFuture<ByteBuffer> answer = deliver(receiver, message).toCompletableFuture();

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(answer::join)
                .withCauseInstanceOf(PeerRefusedException.class)
                .withMessageContaining(why);
        assertThat(received).isEmpty();
    }

    private Sent request(RaftPeers from) {
        assertThat(send(from)).isNotDone();
        return sent.remove();
    }

    private static CompletableFuture<RaftResponse.Inbound> send(RaftPeers from) {
        return from.send(TO_MEMBER_2).toCompletableFuture();
    }

    private CompletionStage<ByteBuffer> deliver(RaftPeers to, Sent message) {
        return deliver(to, message.request().duplicate());
    }

    private CompletionStage<ByteBuffer> deliver(RaftPeers to, ByteBuffer request) {
        return to.onRequest(request, inbound -> {
            received.add(inbound);
            return CompletableFuture.completedFuture(new RaftResponse.Outbound(
                    inbound.correlationId(), new VoteResponseData().setErrorCode((short) 33)));
        });
    }

    private static void answer(Sent message, CompletionStage<ByteBuffer> answer) {
        message.answer().complete(answer.toCompletableFuture().join());
    }

    private RaftPeers member(int id, String cluster, UUID incarnation) {
        FakeDisk disk = new FakeDisk(new Random(id));
        return new RaftPeers(
                QuorumSettings.of(cluster, id, VOTERS),
                incarnation,
                (peer, request) -> {
                    Sent message = new Sent(peer, request, new CompletableFuture<>());
                    sent.add(message);
                    return message.answer();
                },
                new VoterIncarnations(disk.root()),
                new QuorumTime(new FakeTimeSource()));
    }
}
