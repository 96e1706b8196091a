import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { AGREED, EXPORTED, letters, NOT, RIGHT, type Spans } from './gold-review.ts';
import { ok, refused } from './review-files.ts';

const GOLD_ANN = { start: 0, end: 3, label: 'PERSON' };

describe('gold of a finished review', () => {
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
      'did you mean brat?',
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

  it('of two systems is what was accepted of either, and open where one was accepted here and another there', async () => {
    const gold = [{ id: 'd1', text: 'Ann Lee met Bo.', spans: [] }];
    const found = (...spans: readonly object[]) => [{ id: 'd1', spans }];
    const whole = { start: 0, end: 7, label: 'PERSON' };
    const bo = { start: 12, end: 14, label: 'PERSON' };
    const { run, lines, say } = await letters('pii/review', gold, found(whole, bo), found({ ...whole, end: 3 }, bo));
    for (const who of ['Ann', 'Ben']) say(who, { 'd1 sys': [RIGHT, RIGHT], 'd1 other': [RIGHT, RIGHT] });
    const open = refused(await run('review', 'export', 'letters', '--gold', 'new.jsonl'));
    expect(open).toContain('"d1" "Ann Lee": reviewers accepted "Ann" in another answer');
    for (const who of ['Ann', 'Ben']) say(who, { 'd1 other': [NOT, RIGHT] });
    expect(ok(await run('review', 'export', 'letters', '--gold', 'new.jsonl'))).toContain('2 added');
    expect(lines('new.jsonl')).toEqual([
      {
        ...gold[0],
        spans: [
          { ...whole, text: 'Ann Lee' },
          { ...bo, text: 'Bo' },
        ],
      },
    ]);
  });

  it('has two items in place of one if reviewers accepted two, and one in place of two', async () => {
    const gold = [
      { id: 'd1', text: 'Ann Lee met Bo Ray.', spans: [{ start: 0, end: 7, label: 'PERSON' }] },
      {
        id: 'd2',
        text: 'Ann Lee met Bo Ray.',
        spans: [
          { start: 12, end: 14, label: 'PERSON' },
          { start: 15, end: 18, label: 'PERSON' },
        ],
      },
    ];
    const found = [
      { id: 'd1', spans: [GOLD_ANN, { ...GOLD_ANN, start: 4, end: 7 }] },
      { id: 'd2', spans: [{ start: 12, end: 18, label: 'PERSON' }] },
    ];
    const { run, lines, say } = await letters('pii/review', gold, found);
    for (const who of ['Ann', 'Ben']) say(who, { d1: [RIGHT, RIGHT], d2: [RIGHT] });
    expect(ok(await run('review', 'export', 'letters', '--gold', 'new.jsonl'))).toContain(
      '0 kept, 2 corrected, 1 added, 1 dropped',
    );
    expect(lines('new.jsonl').map((line) => (line as Spans).spans)).toEqual([
      [
        { ...GOLD_ANN, text: 'Ann' },
        { ...GOLD_ANN, start: 4, end: 7, text: 'Lee' },
      ],
      [{ start: 12, end: 18, label: 'PERSON', text: 'Bo Ray' }],
    ]);
  });

  it('needs the files that the review was made of, as they were', async () => {
    const { run, folder, say } = await letters();
    say('Ann', AGREED);
    say('Ben', AGREED);
    writeFileSync(join(folder, 'gold.jsonl'), '{"id":"d1","text":"Else.","spans":[]}\n');
    expect(refused(await run('review', 'export', 'letters', '--gold', 'new.jsonl'))).toContain(
      'gold.jsonl has changed since the review was made of it',
    );
  });
});
