package io.millrace.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;

/** Makes what Kafka's classes print short and the same in every run: identities have numbers, bytes are text, defaults are left out. */
final class GroupScriptText {

    private static final Pattern UUIDS =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern NUMBERS = Pattern.compile("#\\d+");
    private static final Pattern BYTES = Pattern.compile("\\[(\\d+(?:, \\d+)*)]");
    private static final Pattern ERRORS = Pattern.compile("errorCode=(-?\\d+)");
    private static final Pattern DEFAULTS = Pattern.compile(
            "\\b(?!partition|memberEpoch|epoch|offset|stateEpoch|startOffset|index)\\w+=(?:0|null|''|\\[]|false|\\{})(?:, )?");
    private static final Pattern UNKNOWN = Pattern.compile(
            "(?:version=\\d+, |topicId=AAAAAAAAAAAAAAAAAAAAAA, )|(?:committedLeaderEpoch|leaderEpoch|expireTimestamp|authorizedOperations|throttleTimeMs)=-?\\d+(?:, )?");

    private final Map<String, String> known = new LinkedHashMap<>();
    private final Map<String, String> topics = new LinkedHashMap<>();

    void nameTopic(Uuid id, String name) {
        topics.put(id.toString(), "<" + name + ">");
    }

    /** Puts identities back in place of their numbers. */
    String uncover(String line) {
        return NUMBERS.matcher(line)
                .replaceAll(number -> known.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(number.group()))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow());
    }

    String cover(String printed) {
        String covered = UUIDS.matcher(printed)
                .replaceAll(uuid -> known.computeIfAbsent(uuid.group(), id -> "#" + (known.size() + 1)));
        for (Map.Entry<String, String> topic : topics.entrySet()) {
            covered = covered.replace(topic.getKey(), topic.getValue());
        }
        covered = BYTES.matcher(covered).replaceAll(bytes -> Matcher.quoteReplacement(bytes(bytes)));
        covered = ERRORS.matcher(covered)
                .replaceAll(code -> code.group(1).equals("0")
                        ? "errorCode=0"
                        : "error=" + Errors.forCode(Short.parseShort(code.group(1))));
        covered = UNKNOWN.matcher(covered).replaceAll("");
        String shorter = DEFAULTS.matcher(covered).replaceAll("");
        return sortMembers(shorter.replace(", )", ")").replace("Data(", "("));
    }

    /** Kafka keeps members by their names, which are different in every run. */
    private static String sortMembers(String printed) {
        int from = printed.indexOf("members=[");
        if (from < 0) {
            return printed;
        }
        List<String> members = new ArrayList<>();
        int depth = 0;
        int start = from + "members=[".length();
        int at = start;
        for (; depth >= 0; at++) {
            char c = printed.charAt(at);
            depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
            if (depth < 0 || (depth == 0 && c == ',')) {
                members.add(printed.substring(start, at).strip());
                start = at + 1;
            }
        }
        Collections.sort(members);
        return printed.substring(0, from) + "members=[" + String.join(", ", members) + printed.substring(at - 1);
    }

    private static String bytes(java.util.regex.MatchResult match) {
        String[] numbers = match.group(1).split(", ", -1);
        byte[] text = new byte[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            int number = Integer.parseInt(numbers[i]);
            if (number < 32 || number > 126) {
                return match.group();
            }
            text[i] = (byte) number;
        }
        return "\"" + new String(text, StandardCharsets.US_ASCII) + "\"";
    }
}
