/*
 * What a node is, and how it is written. An `end` is no node: it closes the last collection or document that is open.
 *
 * These are constants of a module, and no object, so that the bundler puts the numbers where they are asked for: they are
 * asked for several times in each line of a text.
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
