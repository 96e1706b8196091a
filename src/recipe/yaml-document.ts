import type { Document, LineCounter, Pair, YAMLMap } from 'yaml';

import { InputError, type Problem } from '../data/problems.ts';
import { shorten } from '../data/visible.ts';
import { yamlPackage } from './yaml-package.ts';

/** A YAML text as plain data, and where in the text each part of it stands. */
export interface YamlDocument {
  readonly value: unknown;
  /** The line of a key, or of the deepest of its parents that the text has; null when it has none of them. */
  readonly lineOf: (path: readonly string[]) => { readonly line: number; readonly depth: number } | null;
}

/** Recipes are written by people; a bigger one is a mistake or an attack. */
const MOST_BYTES = 1 << 20;
const MOST_ENTRIES = 20_000;
const MOST_ALIASES = 100;
/** The first slip makes many that follow from it. */
const FAULTS_SHOWN = 3;
const LONGEST_REASON = 160;

/** `what` is what the text should be, for messages. */
export function parseYaml(text: string, file: string, what = 'a recipe'): YamlDocument {
  if (text.length > MOST_BYTES)
    throw inputError(file, null, `${what} of ${Math.ceil(text.length / MOST_BYTES)} MiB; the most is 1 MiB`);
  const yaml = yamlPackage();
  const lines = new yaml.LineCounter();
  let document: Document;
  let value: unknown;
  try {
    // Its own way to find keys that are there twice compares each with all others.
    document = yaml.parseDocument(text, { lineCounter: lines, uniqueKeys: false });
    if (document.errors.length === 0) {
      refuseEntries(document, (node, message) => ({ file, line: lineOfNode(node, lines), message }), what);
      value = document.toJS({ maxAliasCount: MOST_ALIASES });
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    // Deep nesting runs out of stack; aliases of aliases of aliases are counted and refused.
    const reason = error instanceof RangeError ? 'it is nested too deeply' : messageOf(error);
    throw inputError(file, null, `not ${what}: ${reason}`);
  }
  if (document.errors.length > 0) {
    throw new InputError(
      document.errors.slice(0, FAULTS_SHOWN).map((error) => ({
        file,
        line: lines.linePos(error.pos[0]).line,
        ...(error.code === 'MULTIPLE_DOCS'
          ? { message: `a second document begins here (---), expected one`, next: 'put each into its own file' }
          : { message: `not YAML: ${reasonOf(error.message)}` }),
      })),
      document.errors.length,
    );
  }
  const pairs = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();
  const pairsOf = (map: YAMLMap): ReadonlyMap<unknown, Pair> => {
    const known = pairs.get(map) ?? pairsByName(map);
    pairs.set(map, known);
    return known;
  };
  return { value, lineOf: (path) => lineOf(document, lines, path, pairsOf) };
}

/** Too many of them, keys that are no plain words, and keys that are there twice. */
function refuseEntries(document: Document, problem: (node: unknown, message: string) => Problem, what: string): void {
  let entries = 0;
  const problems: Problem[] = [];
  const { isPair, isScalar, visit } = yamlPackage();
  visit(document, {
    Collection: (_, { items }) => {
      entries += items.length;
      if (entries > MOST_ENTRIES) return visit.BREAK;
      const keys = new Set<unknown>();
      for (const item of items) {
        if (!isPair(item)) continue;
        const { key } = item;
        if (!isScalar(key)) problems.push(problem(key, 'not YAML: a key must be a word, not a list or a map'));
        else if (keys.has(key.value)) problems.push(problem(key, 'not YAML: Map keys must be unique'));
        else keys.add(key.value);
      }
      return undefined;
    },
  });
  if (entries > MOST_ENTRIES)
    problems.unshift(
      problem(null, `${what} with more than ${MOST_ENTRIES} keys and values; put data in separate files`),
    );
  if (problems.length > 0) throw new InputError(problems.slice(0, FAULTS_SHOWN), problems.length);
}

function lineOfNode(node: unknown, lines: LineCounter): number | null {
  const start = yamlPackage().isNode(node) ? node.range?.[0] : undefined;
  return start === undefined ? null : lines.linePos(start).line;
}

function lineOf(
  document: Document,
  lines: LineCounter,
  path: readonly string[],
  pairsOf: (map: YAMLMap) => ReadonlyMap<unknown, Pair>,
): { line: number; depth: number } | null {
  const { isMap, isNode, isSeq } = yamlPackage();
  let node: unknown = document.contents;
  let found: { line: number; depth: number } | null = null;
  for (const [at, part] of path.entries()) {
    let key: unknown;
    if (isMap(node)) {
      const pair = pairsOf(node).get(part);
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

/** A list that is added to, `labels+`, is one of `labels` too. */
function pairsByName({ items }: YAMLMap): ReadonlyMap<unknown, Pair> {
  const named = new Map<unknown, Pair>();
  const { isScalar } = yamlPackage();
  for (const pair of items) {
    const name = isScalar(pair.key) ? pair.key.value : undefined;
    for (const one of typeof name === 'string' ? [name, name.replace(/\+$/, '')] : [])
      if (!named.has(one)) named.set(one, pair);
  }
  return named;
}

function inputError(file: string, line: number | null, message: string): InputError {
  return new InputError([{ file, line, message }]);
}

/** Without the place, which precedes it, and without what the file holds there. */
function reasonOf(message: string): string {
  const [first = ''] = message.split('\n');
  const reason = first.replace(/ at line \d+, column \d+:?$/, '').replace(/ in YAML stream: ".*$/, '');
  return shorten(reason, LONGEST_REASON);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
