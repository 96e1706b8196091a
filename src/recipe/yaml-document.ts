import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

import { InputError } from '../data/problems.ts';
import { shorten } from '../data/visible.ts';

/** A YAML text as plain data, and where in the text each part of it stands. */
export interface YamlDocument {
  readonly value: unknown;
  /** The line of a key, or of the deepest of its parents that the text has; null when it has none of them. */
  readonly lineOf: (path: readonly string[]) => { readonly line: number; readonly depth: number } | null;
}

/** Recipes are written by people; a bigger one is a mistake or an attack. */
const MOST_BYTES = 1 << 20;
const MOST_ALIASES = 100;
/** The first slip makes many that follow from it. */
const FAULTS_SHOWN = 3;
const LONGEST_REASON = 160;

/** `what` is what the text should be, for messages. */
export function parseYaml(text: string, file: string, what = 'a recipe'): YamlDocument {
  if (text.length > MOST_BYTES)
    throw inputError(file, null, `${what} of ${Math.ceil(text.length / MOST_BYTES)} MiB; the most is 1 MiB`);
  const lines = new LineCounter();
  let document: Document;
  let value: unknown;
  try {
    document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
    if (document.errors.length === 0) value = document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    // Deep nesting runs out of stack; aliases of aliases of aliases are counted and refused.
    const reason = error instanceof RangeError ? 'it is nested too deeply' : messageOf(error);
    throw inputError(file, null, `not ${what}: ${reason}`);
  }
  if (document.errors.length > 0) {
    throw new InputError(
      document.errors.slice(0, FAULTS_SHOWN).map((error) => ({
        file,
        line: lines.linePos(error.pos[0]).line,
        message: `not YAML: ${reasonOf(error.message)}`,
      })),
      document.errors.length,
    );
  }
  return { value, lineOf: (path) => lineOf(document, lines, path) };
}

function lineOf(
  document: Document,
  lines: LineCounter,
  path: readonly string[],
): { line: number; depth: number } | null {
  let node: unknown = document.contents;
  let found: { line: number; depth: number } | null = null;
  for (const [at, part] of path.entries()) {
    let key: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key: own }) => isScalar(own) && (own.value === part || own.value === `${part}+`));
      key = pair?.key;
      node = pair?.value;
    } else if (isSeq(node)) {
      key = node = node.items[Number(part)];
    } else break;
    if (!isNode(key) || key.range === undefined || key.range === null) break;
    found = { line: lines.linePos(key.range[0]).line, depth: at + 1 };
  }
  return found;
}

function inputError(file: string, line: number | null, message: string): InputError {
  return new InputError([{ file, line, message }]);
}

/** Without the place, which is said before it, and without what the file holds there. */
function reasonOf(message: string): string {
  const [first = ''] = message.split('\n');
  const reason = first.replace(/ at line \d+, column \d+:?$/, '').replace(/ in YAML stream: ".*$/, '');
  return shorten(reason, LONGEST_REASON);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
