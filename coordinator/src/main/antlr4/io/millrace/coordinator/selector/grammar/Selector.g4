/*
 * Message selectors: Jakarta Messaging 3.1, section 3.8.1.
 *
 * Every decision needs one token of lookahead, so the parser needs no prediction and keeps nothing in memory from one selector to the
 * next. Chains are loops: only parentheses make the parser call itself, and whoever calls it has counted those before. Which operands fit
 * together is not the grammar's business but that of SelectorCompiler.
 */
grammar Selector;

options { caseInsensitive = true; }

selector: condition EOF;

condition: conjunction (OR conjunction)*;

conjunction: negation (AND negation)*;

negation: NOT* comparison;

comparison: sum (relation | isNull | NOT? (between | in | like))?;

relation: (EQUAL | NOT_EQUAL | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL) sum;

isNull: IS NOT? NULL;

between: BETWEEN sum AND sum;

in: IN OPEN STRING (COMMA STRING)* CLOSE;

like: LIKE STRING (ESCAPE STRING)?;

sum: product ((PLUS | MINUS) product)*;

product: signed ((TIMES | DIVIDE) signed)*;

signed: (PLUS | MINUS)* operand;

operand: INTEGER | APPROXIMATE | STRING | TRUE | FALSE | IDENTIFIER | OPEN condition CLOSE;

AND: 'and';
OR: 'or';
NOT: 'not';
BETWEEN: 'between';
LIKE: 'like';
ESCAPE: 'escape';
IN: 'in';
IS: 'is';
NULL: 'null';
TRUE: 'true';
FALSE: 'false';

EQUAL: '=';
NOT_EQUAL: '<>';
LESS_EQUAL: '<=';
GREATER_EQUAL: '>=';
LESS: '<';
GREATER: '>';
PLUS: '+';
MINUS: '-';
TIMES: '*';
DIVIDE: '/';
OPEN: '(';
CLOSE: ')';
COMMA: ',';

// As in Java: decimal, hexadecimal, octal (a leading 0), binary, with underscores and the suffix L.
INTEGER: ([0-9] [0-9_]* | '0x' [0-9a-f_]+ | '0b' [01_]+) 'l'?;

APPROXIMATE:
    (DIGITS '.' DIGITS? EXPONENT? | '.' DIGITS EXPONENT? | DIGITS EXPONENT) [fd]?
    | DIGITS [fd]
    | '0x' ([0-9a-f_]+ '.'? | [0-9a-f_]* '.' [0-9a-f_]+) 'p' [+-]? DIGITS [fd]?;

// What begins like a number and goes on like none: 12abc, 1.2.3. It is refused as a whole.
MALFORMED_NUMBER: [0-9] [0-9a-z_$.]*;

STRING: '\'' (~'\'' | '\'\'')* '\'';

UNTERMINATED_STRING: '\'' (~'\'' | '\'\'')*;

// Outside of ASCII, what a Java identifier may have is for Java to say.
IDENTIFIER: [a-z_$\u0080-\u{10FFFF}] [a-z0-9_$\u0080-\u{10FFFF}]*;

WHITESPACE: [ \t\f\r\n]+ -> skip;

UNEXPECTED: .;

fragment DIGITS: [0-9] [0-9_]*;
fragment EXPONENT: 'e' [+-]? DIGITS;
