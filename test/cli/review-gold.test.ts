import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { CellValue, ItemAnswer } from '../../src/store/review-records.ts';
import { openStore } from '../../src/store/store.ts';
import { assayHere } from './assay-here.ts';
import { ok, refused } from './review-files.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';

interface Spans {
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
/** By case: what becomes of what was proposed, in its order (null: removed), then what is added. */
type Said = Readonly<Record<string, readonly (Change | null)[]>>;

/** The program in a folder with a review of two documents by Ann and Ben. */
async function letters(
  recipe = 'pii/review',
  gold: readonly object[] = GOLD,
  predicted: readonly object[] = PREDICTED,
) {
  const folder = temporaryFolder();
  const file = (name: string, lines: readonly object[]): void =>
    writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  file('gold.jsonl', gold);
  file('pred.jsonl', predicted);
  const run = (...args: string[]): Promise<Finished> =>
    assayHere(args, { cwd: folder, env: { ASSAY_DATA: join(folder, '.assay') } });
  const people = ['--reviewer', 'Ann', '--reviewer', 'Ben', '--adjudicator', 'Cay'];
  const files = ['--gold', 'gold.jsonl', '--predictions', 'sys=pred.jsonl'];
  ok(await run('review', 'create', 'letters', '--recipe', recipe, ...files, ...people));
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
    const changes = said[item.caseId];
    if (changes === undefined) continue;
    const { proposed } = item.content as { proposed: Record<string, readonly (ItemAnswer & { kind: string })[]> };
    const [field, things] = Object.entries(proposed)[0]!;
    const value = changes.flatMap((change, at): ItemAnswer[] => {
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
    store.reviews.append([event(field, value), event('#commit', true)]);
  }
  store.close();
}

const RIGHT = { label: 'right' };
const TO_LOC = { label: 'wrong_label', kind: 'LOC' };
const NOT = { label: 'not_personal' };
const AGREED: Said = { d1: [RIGHT, RIGHT, TO_LOC], d2: [RIGHT, RIGHT, NOT] };

const EXPORTED = [
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

describe('gold of a finished review', () => {
  it('has what reviewers corrected, added and rejected, and scores as worked out by hand', async () => {
    const { run, lines, say } = await letters();
    const values = async (gold: string): Promise<readonly unknown[]> => {
      const scored = await run('score', 'pii/strict', '--gold', gold, '--predictions', 'pred.jsonl', '--json');
      const { measures } = JSON.parse(ok(scored)) as { measures: { name: string; slice: object; value: number }[] };
      return ['precision', 'recall', 'f1'].map(
        (name) => measures.find((one) => one.name === name && Object.keys(one.slice).length === 0)?.value,
      );
    };
    // Hits are "called" and the number; 6 were predicted, 4 are gold.
    expect(await values('gold.jsonl')).toEqual([2 / 6, 2 / 4, 4 / 10]);
    say('Ann', AGREED);
    say('Ben', AGREED);
    expect(ok(await run('review', 'export', 'letters', '--gold', 'new.jsonl', '--provenance'))).toBe(
      'Gold annotations of 3 cases: 2 kept, 1 corrected, 2 added, 1 dropped, in new.jsonl\n',
    );
    expect(lines('new.jsonl')).toEqual(EXPORTED);
    // Hits are Ann Lee, Bo, Cy and the number; Oslo is no ORG, and "called" is nobody.
    expect(await values('new.jsonl')).toEqual([4 / 6, 4 / 5, expect.closeTo(8 / 11, 12)]);
  });

  it('leaves the field out unless it is asked for, and replaces a file only with --force', async () => {
    const { run, lines, say } = await letters();
    say('Ann', AGREED);
    say('Ben', AGREED);
    ok(await run('review', 'export', 'letters', '--gold', 'new.jsonl', '--to', 'spans'));
    expect(JSON.stringify(lines('new.jsonl'))).toBe(JSON.stringify(EXPORTED).replaceAll(/,"provenance":"\w+"/g, ''));
    expect(refused(await run('review', 'export', 'letters', '--gold', 'new.jsonl'))).toContain('exists already');
    ok(await run('review', 'export', 'letters', '--gold', 'new.jsonl', '--force'));
    expect(refused(await run('review', 'export', 'letters', '--gold', 'x', '--format', 'csv'))).toContain(
      'leave --out',
    );
    expect(refused(await run('review', 'export', 'letters', '--gold', 'x', '--to', 'brrt'))).toContain(
      'formats: spans',
    );
  });

  it('is refused while anything is unresolved, unless the gold there is kept', async () => {
    const { run, lines, say } = await letters();
    say('Ann', { ...AGREED, d1: [RIGHT, RIGHT, { label: 'wrong_label' }] });
    const early = refused(await run('review', 'export', 'letters', '--gold', 'new.jsonl'));
    expect(early).toContain('"d1" ("sys") "Ann Lee met Bo in Oslo.": 1 of 2 reviewers have finished it');
    say('Ben', {
      ...AGREED,
      d1: [RIGHT, { label: 'right', start: 8, end: 14, text: 'met Bo' }, { label: 'wrong_label' }],
    });
    const open = refused(await run('review', 'export', 'letters', '--gold', 'new.jsonl'));
    expect(open).toContain('2 items of "letters" are unresolved');
    expect(open).toContain('"d1" ("sys") "met Bo": reviewers cut it differently');
    expect(open).toContain('"d1" ("sys") "Oslo": “Wrong label”, and nobody said which is right');
    expect(open).toContain('--unresolved keep-gold');
    const kept = await run('review', 'export', 'letters', '--gold', 'new.jsonl', '--unresolved', 'keep-gold');
    expect(ok(kept)).toContain('2 kept, 1 corrected, 1 added, 1 dropped');
    expect((lines('new.jsonl')[0] as Spans).spans).toEqual([
      { start: 0, end: 7, label: 'PERSON', text: 'Ann Lee' },
      { start: 18, end: 22, label: 'LOC', text: 'Oslo', note: 'a town' },
    ]);
  });

  it('is what the adjudicator decided where reviewers corrected differently', async () => {
    const { run, lines, say } = await letters();
    say('Ann', AGREED);
    say('Ben', { ...AGREED, d1: [RIGHT, RIGHT, { label: 'wrong_label', kind: 'CITY' }] });
    const conflicts = ok(await run('review', 'adjudicate', 'letters'));
    expect(conflicts).toContain('Oslo');
    const [, id] = /--item (\S+)/.exec(conflicts) ?? [];
    const decide = ['review', 'adjudicate', 'letters', '--item', id!, '--field', 'spans', '--part', '18-22'];
    const open = refused(await run('review', 'export', 'letters', '--gold', 'new.jsonl'));
    expect(open).toContain('reviewers call it differently: LOC and CITY');
    const [, which] = /(\d)\. wrong_label: CITY “Oslo”/.exec(conflicts) ?? [];
    ok(await run(...decide, '--answer', which!));
    ok(await run('review', 'export', 'letters', '--gold', 'new.jsonl', '--provenance'));
    expect((lines('new.jsonl')[0] as Spans).spans).toContainEqual({
      start: 18,
      end: 22,
      label: 'CITY',
      text: 'Oslo',
      note: 'a town',
      provenance: 'corrected',
    });
  });
});
