/*
 * The kinds of nodes, with the style in which they are written. An `end` is not a node: it closes the last open
 * collection or document.
 *
 * These are constants of a module, not properties of an object, so that the bundler inlines the numbers. Each node of a
 * text needs them more than once.
 */
export const document = 0;
export const end = 1;
export const alias = 2;
export const blockMapping = 3;
export const flowMapping = 4;
export const blockSequence = 5;
export const flowSequence = 6;
export const plain = 7;
export const singleQuoted = 8;
export const doubleQuoted = 9;
export const literal = 10;
export const folded = 11;
