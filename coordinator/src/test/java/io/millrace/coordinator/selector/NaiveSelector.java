package io.millrace.coordinator.selector;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Selectors as trees that write themselves with all parentheses, and are evaluated as slowly and plainly as possible. */
final class NaiveSelector {
    private NaiveSelector() {}

    /** A value or a condition. */
    interface Node {
        String text();

        @Nullable
        Object value(Map<String, Object> message);
    }

    static boolean isTrue(Node condition, Map<String, Object> message) {
        return Boolean.TRUE.equals(condition.value(message));
    }

    /** What SQL calls the value of a condition: 1, 0, or 0.5 if it is unknown. AND is the least, OR the greatest. */
    private static double degree(@Nullable Object value) {
        if (value instanceof Boolean truth) {
            return truth ? 1 : 0;
        }
        return 0.5;
    }

    private static @Nullable Object ofDegree(double degree) {
        return degree == 0.5 ? null : Boolean.valueOf(degree == 1);
    }

    record Truth(boolean truth) implements Node {
        @Override
        public String text() {
            return truth ? "TRUE" : "false";
        }

        @Override
        public Object value(Map<String, Object> message) {
            return truth;
        }
    }

    record Text(String string) implements Node {
        @Override
        public String text() {
            return quoted(string);
        }

        @Override
        public Object value(Map<String, Object> message) {
            return string;
        }
    }

    private static String quoted(String string) {
        return "'" + string.replace("'", "''") + "'";
    }

    record Numeral(Object number) implements Node {
        @Override
        public String text() {
            return number.toString();
        }

        @Override
        public Object value(Map<String, Object> message) {
            return number;
        }
    }

    record Name(String name) implements Node {
        @Override
        public String text() {
            return name;
        }

        @Override
        public @Nullable Object value(Map<String, Object> message) {
            Object value = message.get(name);
            if (value instanceof Float || value instanceof Double) {
                return ((Number) value).doubleValue();
            }
            return value instanceof Number number ? Long.valueOf(number.longValue()) : value;
        }
    }

    record Minus(Node number) implements Node {
        @Override
        public String text() {
            return "-(" + number.text() + ")";
        }

        @Override
        public @Nullable Object value(Map<String, Object> message) {
            return compute(0L, "-", number.value(message), true);
        }
    }

    record Compute(Node left, String operator, Node right) implements Node {
        @Override
        public String text() {
            return "(" + left.text() + ") " + operator + " (" + right.text() + ")";
        }

        @Override
        public @Nullable Object value(Map<String, Object> message) {
            return compute(left.value(message), operator, right.value(message), false);
        }
    }

    private static @Nullable Object compute(
            @Nullable Object left, String operator, @Nullable Object right, boolean sign) {
        if (!(left instanceof Number first) || !(right instanceof Number second)) {
            return null;
        }
        if (left instanceof Double || right instanceof Double) {
            double a = first.doubleValue();
            double b = second.doubleValue();
            if (sign) {
                return -b;
            }
            return switch (operator) {
                case "+" -> a + b;
                case "-" -> a - b;
                case "*" -> a * b;
                default -> a / b;
            };
        }
        BigInteger a = BigInteger.valueOf(first.longValue());
        BigInteger b = BigInteger.valueOf(second.longValue());
        if (operator.equals("/") && b.signum() == 0) {
            return null;
        }
        BigInteger result = switch (operator) {
            case "+" -> a.add(b);
            case "-" -> a.subtract(b);
            case "*" -> a.multiply(b);
            default -> a.divide(b);
        };
        return result.bitLength() < 64 ? Long.valueOf(result.longValue()) : null;
    }

    record Compare(Node left, String operator, Node right) implements Node {
        @Override
        public String text() {
            return "(" + left.text() + ") " + operator + " (" + right.text() + ")";
        }

        @Override
        public @Nullable Object value(Map<String, Object> message) {
            return compare(left.value(message), operator, right.value(message));
        }
    }

    private static @Nullable Boolean compare(@Nullable Object left, String operator, @Nullable Object right) {
        if (left == null || right == null) {
            return null;
        }
        if (left instanceof Number first && right instanceof Number second) {
            if (left instanceof Long a && right instanceof Long b) {
                return ordered(a.compareTo(b), operator);
            }
            double a = first.doubleValue();
            double b = second.doubleValue();
            if (Double.isNaN(a) || Double.isNaN(b)) {
                return operator.equals("<>");
            }
            return ordered(a == b ? 0 : Double.compare(a, b), operator);
        }
        boolean equality = operator.equals("=") || operator.equals("<>");
        return equality && left.getClass().equals(right.getClass()) && left.equals(right) == operator.equals("=");
    }

    private static boolean ordered(int order, String operator) {
        return switch (operator) {
            case "=" -> order == 0;
            case "<>" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    record Range(Node number, Node low, Node high, boolean not) implements Node {
        @Override
        public String text() {
            return "(" + number.text() + (not ? ") NOT BETWEEN (" : ") BETWEEN (") + low.text() + ") AND ("
                    + high.text() + ")";
        }

        @Override
        public @Nullable Object value(Map<String, Object> message) {
            Object at = number.value(message);
            double above = degree(compare(at, not ? "<" : ">=", low.value(message)));
            double below = degree(compare(at, not ? ">" : "<=", high.value(message)));
            return ofDegree(not ? Math.max(above, below) : Math.min(above, below));
        }
    }

    record OneOf(String name, List<String> strings, boolean not) implements Node {
        @Override
        public String text() {
            return name + (not ? " NOT IN (" : " IN (")
                    + strings.stream().map(NaiveSelector::quoted).collect(Collectors.joining(", ")) + ")";
        }

        @Override
        public @Nullable Object value(Map<String, Object> message) {
            Object value = message.get(name);
            if (value == null) {
                return null;
            }
            return value instanceof String && strings.stream().anyMatch(one -> Objects.equals(one, value)) != not;
        }
    }

    record Pattern(String name, String pattern, boolean not) implements Node {
        @Override
        public String text() {
            return name + (not ? " NOT LIKE " : " LIKE ") + quoted(pattern);
        }

        @Override
        public @Nullable Object value(Map<String, Object> message) {
            Object value = message.get(name);
            if (value == null) {
                return null;
            }
            String expression = pattern.replace("%", ".*").replace("_", ".");
            return value instanceof String text && text.matches(expression) != not;
        }
    }

    record Absent(String name, boolean not) implements Node {
        @Override
        public String text() {
            return name + (not ? " IS NOT NULL" : " IS NULL");
        }

        @Override
        public Object value(Map<String, Object> message) {
            return message.containsKey(name) == not;
        }
    }

    record Negation(Node condition) implements Node {
        @Override
        public String text() {
            return "NOT (" + condition.text() + ")";
        }

        @Override
        public @Nullable Object value(Map<String, Object> message) {
            return ofDegree(1 - degree(condition.value(message)));
        }
    }

    record Junction(String operator, List<Node> conditions) implements Node {
        @Override
        public String text() {
            return conditions.stream()
                    .map(condition -> "(" + condition.text() + ")")
                    .collect(Collectors.joining(" " + operator + " "));
        }

        @Override
        public @Nullable Object value(Map<String, Object> message) {
            var degrees = conditions.stream().mapToDouble(condition -> degree(condition.value(message)));
            return ofDegree(
                    operator.equals("AND")
                            ? degrees.min().orElseThrow()
                            : degrees.max().orElseThrow());
        }
    }
}
