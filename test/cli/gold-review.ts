import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CellValue, ItemAnswer } from '../../src/store/review-records.ts';
import { openStore } from '../../src/store/store.ts';
import { assayHere } from './assay-here.ts';
import { ok } from './review-files.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';

export interface Spans {
  readonly spans: readonly object[];
}

const GOLD = [
  {
    id: 'd1',
    text: 'Ann Lee met Bo in Oslo.',
    spans: [
      { start: 0, end: 3, label: 'PERSON', text: 'Ann' },
      { start: 18, end: 22, label: 'LOC', text: 'Oslo', note: 'a town' },
    ],
    lang: 'en',
  },
  {
    id: 'd2',
    text: '🙂 Cy called 555-0101.',
    spans: [
      { start: 12, end: 20, label: 'PHONE', text: '555-0101' },
      { start: 5, end: 11, label: 'PERSON', text: 'called' },
    ],
    lang: 'en',
  },
  { id: 'd3', text: 'Nobody.', spans: [], lang: 'en' },
];
const PREDICTED = [
  {
    id: 'd1',
    spans: [
      { start: 0, end: 7, label: 'PERSON' },
      { start: 12, end: 14, label: 'PERSON' },
      { start: 18, end: 22, label: 'ORG' },
    ],
  },
  {
    id: 'd2',
    spans: [
      { start: 12, end: 20, label: 'PHONE' },
      { start: 2, end: 4, label: 'PERSON' },
      { start: 5, end: 11, label: 'PERSON' },
    ],
  },
];

type Change = Partial<Omit<ItemAnswer, 'from'>> & { readonly label: string };
/**
 * By case, or `case system`: what becomes of what was proposed, in its order (null: removed), then what is added.
 * `finished`: finished without an answer; `begun`: answered without finishing.
 */
export type Said = Readonly<Record<string, readonly (Change | null)[] | 'finished' | 'begun'>>;

/** The program in a folder with a review of two documents by Ann and Ben. */
export async function letters(
  recipe = 'pii/review',
  gold: readonly object[] = GOLD,
  predicted: readonly object[] = PREDICTED,
  others: readonly object[] = [],
  flags: readonly string[] = [],
) {
  const systems = others.length === 0 ? ['sys'] : ['sys', 'other'];
  const folder = temporaryFolder();
  const file = (name: string, lines: readonly object[]): void =>
    writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  file('gold.jsonl', gold);
  file('pred.jsonl', predicted);
  file('sys.jsonl', predicted);
  file('other.jsonl', others);
  const run = (...args: string[]): Promise<Finished> =>
    assayHere(args, { cwd: folder, env: { ASSAY_DATA: join(folder, '.assay') } });
  const people = ['--reviewer', 'Ann', '--reviewer', 'Ben', '--adjudicator', 'Cay'];
  const files = ['--gold', 'gold.jsonl', ...systems.flatMap((name) => ['--predictions', `${name}=${name}.jsonl`])];
  ok(await run('review', 'create', 'letters', '--recipe', recipe, ...files, ...people, ...flags));
  const lines = (name: string): unknown[] =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  return { folder, run, lines, say: (who: string, said: Said) => answer(folder, who, said) };
}

/** Answers and commits, as the app would. */
function answer(folder: string, who: string, said: Said): void {
  const store = openStore(join(folder, '.assay'));
  const { id } = store.reviews.find('letters')!;
  const personId = store.reviews.people(id).find(({ name }) => name === who)!.id;
  for (const item of store.reviews.items(id)) {
    const changes = said[`${item.caseId} ${item.system ?? ''}`] ?? said[item.caseId];
    if (changes === undefined) continue;
    const { proposed } = item.content as { proposed: Record<string, readonly (ItemAnswer & { kind: string })[]> };
    const [field, things] = Object.entries(proposed)[0]!;
    const value = (typeof changes === 'string' ? [] : changes).flatMap((change, at): ItemAnswer[] => {
      if (change === null) return [];
      const { id: own, start, end, text } = things[at] ?? { id: `added-${at}`, start: -1, end: -1, text: '' };
      return [{ id: own, start, end, text, from: at < things.length ? [own] : [], ...change }];
    });
    const event = (name: string, given: CellValue) => ({
      id: `${personId} ${item.id} ${name} ${JSON.stringify(given)}`,
      itemId: item.id,
      personId,
      field: name,
      part: null,
      value: given,
      origin: 'library' as const,
    });
    store.reviews.append([
      ...(changes === 'finished' ? [] : [event(field, value)]),
      ...(changes === 'begun' ? [] : [event('#commit', true)]),
    ]);
  }
  store.close();
}

export const RIGHT = { label: 'right' };
const TO_LOC = { label: 'wrong_label', kind: 'LOC' };
export const NOT = { label: 'not_personal' };
export const AGREED: Said = { d1: [RIGHT, RIGHT, TO_LOC], d2: [RIGHT, RIGHT, NOT] };

export const EXPORTED = [
  {
    id: 'd1',
    text: 'Ann Lee met Bo in Oslo.',
    spans: [
      { start: 0, end: 7, label: 'PERSON', text: 'Ann Lee', provenance: 'corrected' },
      { start: 18, end: 22, label: 'LOC', text: 'Oslo', note: 'a town', provenance: 'gold' },
      { start: 12, end: 14, label: 'PERSON', text: 'Bo', provenance: 'added' },
    ],
    lang: 'en',
  },
  {
    id: 'd2',
    text: '🙂 Cy called 555-0101.',
    spans: [
      { start: 12, end: 20, label: 'PHONE', text: '555-0101', provenance: 'gold' },
      { start: 2, end: 4, label: 'PERSON', text: 'Cy', provenance: 'added' },
    ],
    lang: 'en',
  },
  { id: 'd3', text: 'Nobody.', spans: [], lang: 'en' },
];
