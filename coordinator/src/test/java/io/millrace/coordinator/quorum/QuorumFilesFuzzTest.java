package io.millrace.coordinator.quorum;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;

/** Whatever the files of the quorum hold, or another member sends: it is refused with a typed exception, or read. */
class QuorumFilesFuzzTest {
    private static final UUID INCARNATION = new UUID(1, 2);
    private static final int SLOT_BYTES = 4_096;
    private static final int HEADER_BYTES = 32;

    /** The input is the version of the first slot and its state; magic, owner, length and checksum are put right. */
    @FuzzTest
    void electionState(byte[] input) throws IOException {
        if (input.length < 2 || input.length > SLOT_BYTES - HEADER_BYTES) {
            return;
        }
        ByteBuffer slot = ByteBuffer.allocate(2 * SLOT_BYTES);
        slot.putInt(0x4d515330).putLong(1).putLong(INCARNATION.getMostSignificantBits());
        slot.putLong(INCARNATION.getLeastSignificantBits()).put(input, 0, 2);
        slot.putShort((short) (input.length - 2)).put(input, 2, input.length - 2);
        int end = slot.position();
        slot.putInt(crc(slot.array(), end));
        readElection(slot.array());
    }

    /** The input is the file as it is. */
    @FuzzTest
    void electionFile(byte[] input) throws IOException {
        readElection(Arrays.copyOf(input, 2 * SLOT_BYTES));
        readElection(input);
    }

    private static void readElection(byte[] content) throws IOException {
        Path directory = new FakeDisk(new Random(1)).root();
        Files.write(directory.resolve(ElectionFile.NAME), content);
        try {
            new ElectionFile(directory, INCARNATION).readElectionState();
        } catch (QuorumStorageException refused) {
            // Fine: the broker does not start, and says why.
        }
    }

    /** The input is the content; the checksum behind it is put right. */
    @FuzzTest
    void voterIncarnations(byte[] input) throws IOException {
        Path directory = new FakeDisk(new Random(1)).root();
        ByteBuffer content = ByteBuffer.allocate(input.length + 2 * Integer.BYTES);
        content.putInt(0x4d565330).put(input);
        content.putInt(crc(content.array(), content.position()));
        Files.write(directory.resolve(VoterIncarnations.NAME), content.array());
        try {
            new VoterIncarnations(directory).known(1, INCARNATION);
        } catch (QuorumStorageException refused) {
            // Fine: the broker does not start, and says why.
        }
    }

    /** The input is what another member says. */
    @FuzzTest
    void peerMessage(byte[] input) {
        ByteBuffer bytes = ByteBuffer.allocate(input.length + 2);
        for (byte direction = 0; direction < 2; direction++) {
            bytes.clear().put((byte) 1).put(direction).put(input).flip();
            try {
                PeerMessage message = direction == 0 ? PeerMessage.ofRequest(bytes) : PeerMessage.ofResponse(bytes);
                message.body().apiKey();
            } catch (PeerRefusedException refused) {
                // Fine: the member is not heard.
            }
        }
    }

    private static int crc(byte[] bytes, int size) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, size);
        return (int) crc.getValue();
    }
}
