import { describe, expect, it } from 'vitest';

import { conflictId } from '../../src/review/conflicts.ts';
import { gardenReview } from './garden-review.ts';
import { ok, refused } from './review-files.ts';

const PEOPLE = [{ name: 'Anna' }, { name: 'Bora' }, { name: 'Adja', role: 'adjudicator' }] as const;

const claims = (...labels: readonly string[]) =>
  [
    { id: 'c1', start: 0, end: 15, text: 'Water it daily.', from: ['c1'] },
    { id: 'c2', start: 16, end: 32, text: 'Feed it in June.', from: ['c2'] },
  ].map((one, at) => ({ ...one, label: labels[at] ?? null }));
const RATED = { 'safety.harm': 4, 'safety.dose': 4 };

/** People differ on the plant of both cases, and on the second claim of the first answer. */
const divided = () =>
  gardenReview(PEOPLE, [
    { person: 'Anna', item: 'case-1', cells: { plant: 'rose' } },
    { person: 'Bora', item: 'case-1', cells: { plant: 'fern' } },
    { person: 'Anna', item: 'case-2', cells: { plant: 'rose' } },
    { person: 'Bora', item: 'case-2', cells: { plant: 'fern' } },
    { person: 'Anna', item: 'answer-1', cells: { ...RATED, claims: claims('yes', 'yes') } },
    { person: 'Bora', item: 'answer-1', cells: { ...RATED, claims: claims('yes', 'no') } },
  ]);

describe('the list of conflicts', () => {
  it('shows what is in dispute: the words of the claim, and how the texts begin, in 80 columns', async () => {
    const { run } = divided();
    const text = ok(await run('adjudicate', 'pilot'));
    expect(text).toContain(`answer-1  claims 16-32
  The question: What ails my plant 1?
  The answer: Water it daily. Feed it in June.
  » Feed it in June.
  Is each claim supported?
  1. yes (1 person)
  2. no (1 person)
`);
    expect(text).toMatch(/case-1 {2}plant\n {2}The question: What ails my plant 1\?\n {2}Which plant\?\n/);
    expect(text).toContain('3 conflicts open.');
    const lines = text.split('\n').filter((line) => !line.startsWith('  $'));
    expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
    expect(text).not.toMatch(/Secret|Anna|Bora/);
  });

  it('has the same as JSON', async () => {
    const { run } = divided();
    const all = JSON.parse(ok(await run('adjudicate', 'pilot', '--json'))) as { field: string }[];
    expect(all.find(({ field }) => field === 'claims')).toMatchObject({
      id: conflictId('answer-1', 'claims', '16-32'),
      item: 'answer-1',
      question: 'Is each claim supported?',
      words: 'Feed it in June.',
      texts: [
        { title: 'The question', begins: 'What ails my plant 1?' },
        { title: 'The answer', begins: 'Water it daily. Feed it in June.' },
      ],
    });
    expect(all.find(({ field }) => field === 'plant')).toMatchObject({ words: null });
  });

  it('is of one item with --item, open or with --all, and of one question with --field', async () => {
    const { run } = divided();
    const ids = async (...args: readonly string[]) =>
      (JSON.parse(ok(await run('adjudicate', 'pilot', '--json', ...args))) as { item: string; field: string }[]).map(
        ({ item, field }) => `${item} ${field}`,
      );
    expect(await ids('--list', '--item', 'case-1')).toEqual(['case-1 plant']);
    expect(await ids('--list', '--field', 'plant')).toEqual(['case-1 plant', 'case-2 plant']);
    const fern = ['--item', 'case-1', '--field', 'plant', '--value', 'fern', '--json'];
    expect(JSON.parse(ok(await run('adjudicate', 'pilot', ...fern)))).toEqual({ kept: 1, held: 0, open: 2 });
    expect(JSON.parse(ok(await run('adjudicate', 'pilot', ...fern)))).toEqual({ kept: 0, held: 1, open: 2 });
    expect(await ids('--list', '--item', 'case-1')).toEqual([]);
    expect(await ids('--all', '--item', 'case-1')).toEqual(['case-1 plant']);
    expect(ok(await run('adjudicate', 'pilot', '--list', '--item', 'case-1'))).toContain('No conflict is open.\n');
    expect(ok(await run('adjudicate', 'pilot', '--all', '--item', 'case-1'))).toContain('decided: fern');
    expect(ok(await run('adjudicate', 'pilot', '--history', '--item', 'case-1'))).toMatch(/case-1 +plant +fern\n/);
  });

  it('says what is wrong with a call', async () => {
    const { run } = divided();
    const call = async (...args: readonly string[]) => refused(await run('adjudicate', 'pilot', ...args));
    expect(await call('--list', '--item', 'made-up\u001b[2J')).toMatch(
      /there is no item "made-up\\u001b\[2J" in pilot/,
    );
    expect(await call('--item', 'case-1')).toMatch(/which question is decided\?[^]*--list --item ID/);
    expect(await call('--list', '--item', 'case-1', '--value', 'rose')).toContain('two calls');
    expect(await call('--field', 'plant')).toContain('which item is decided?');
    expect(await call('--item', 'case-1', '--field', 'plant', '--value', 'rose', '--because', 'a\u001bb')).toContain(
      'control character',
    );
  });
});
