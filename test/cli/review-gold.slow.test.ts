import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { AGREED, EXPORTED, letters, RIGHT, type Said } from './gold-review.ts';
import { ok } from './review-files.ts';
import { ROOT, temporaryFolder } from './run-assay.ts';

type Run = Awaited<ReturnType<typeof letters>>['run'];

async function valuesOf(run: Run, gold: string, ...more: string[]): Promise<readonly unknown[]> {
  const scored = await run('score', 'pii/strict', '--gold', gold, '--predictions', 'pred.jsonl', '--json', ...more);
  const { measures } = JSON.parse(ok(scored)) as { measures: { name: string; slice: object; value: number }[] };
  return ['precision', 'recall', 'f1'].map(
    (name) => measures.find((one) => one.name === name && Object.keys(one.slice).length === 0)?.value,
  );
}

describe('gold of a finished review', () => {
  it('has what reviewers corrected, added and rejected, and scores as worked out by hand', async () => {
    const { run, lines, say } = await letters();
    const values = (gold: string) => valuesOf(run, gold);
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

  it('of a graph has corrected types and names, which relationships follow, and added relationships', async () => {
    const text = 'Ann works at Acme Corp in Oslo.';
    const entities = [
      { name: 'Ann', type: 'Person', note: 'n' },
      { name: 'Acme', type: 'Org' },
    ];
    const gold = [
      {
        id: 'i1',
        input: { document_text: text },
        expected_output: { entities, relationships: [{ source_name: 'Ann', target_name: 'Acme', type: 'works_for' }] },
      },
    ];
    const output = {
      entities: [
        { temp_id: 'e1', name: 'Ann', type: 'Person' },
        { temp_id: 'e2', name: 'Acme', type: 'Company' },
        { temp_id: 'e3', name: 'Oslo', type: 'Place' },
      ],
      relationships: [{ source_ref: 'e1', target_ref: 'e2', type: 'employs' }],
    };
    const { run, lines, say } = await letters('graph/review', gold, [{ id: 'i1', output }]);
    const corp = text.indexOf('Acme');
    const said: Said = {
      i1: [
        RIGHT,
        { label: 'wrong_name', kind: 'Org', start: corp, end: corp + 9, text: 'Acme Corp' },
        RIGHT,
        { label: 'wrong_type', kind: 'works_for' },
        { label: 'missing', kind: 'based_in', text: 'Acme Corp → based_in → Oslo' },
      ],
    };
    for (const who of ['Ann', 'Ben']) say(who, said);
    expect(ok(await run('review', 'export', 'letters', '--gold', 'new.jsonl', '--provenance'))).toContain(
      '2 kept, 1 corrected, 2 added, 0 dropped',
    );
    expect(lines('new.jsonl')).toEqual([
      {
        id: 'i1',
        input: { document_text: text },
        expected_output: {
          entities: [
            { temp_id: 'e1', name: 'Ann', type: 'Person', note: 'n', provenance: 'gold' },
            { temp_id: 'e2', name: 'Acme Corp', type: 'Org', provenance: 'corrected' },
            { temp_id: 'e3', name: 'Oslo', type: 'Place', start: 26, end: 30, provenance: 'added' },
          ],
          relationships: [
            { source_ref: 'e1', target_ref: 'e2', type: 'works_for', provenance: 'gold' },
            { source_ref: 'e2', target_ref: 'e3', type: 'based_in', provenance: 'added' },
          ],
        },
      },
    ]);
    ok(await run('score', 'graph/openspec', '--gold', 'new.jsonl', '--predictions', 'pred.jsonl', '--quiet'));
  });

  it('of a diary has corrected domains and quotes, with the facts of the file', async () => {
    const gold = [
      {
        journal_id: 'J1',
        text: 'Had masala chai and felt calm.',
        items: [
          { domain: 'food', evidence_span: 'chai', polarity: 'present', time_bucket: 'today' },
          { domain: 'mind', evidence_span: 'felt calm', polarity: 'present', time_bucket: 'today' },
        ],
      },
    ];
    const items = [
      { domain: 'food', evidence_span: 'chai', polarity: 'present', time_bucket: 'today' },
      { domain: 'mind', evidence_span: 'felt calm', polarity: 'present', time_bucket: 'today' },
    ];
    const { run, lines, say } = await letters('journal/review', gold, [{ journal_id: 'J1', items }]);
    const start = gold[0]!.text.indexOf('masala');
    const said: Said = {
      J1: [
        { label: 'wrong_quote', start, end: start + 11, text: 'masala chai' },
        { label: 'wrong_label', kind: 'emotion' },
      ],
    };
    for (const who of ['Ann', 'Ben']) say(who, said);
    ok(await run('review', 'export', 'letters', '--gold', 'new.jsonl'));
    expect(lines('new.jsonl')).toEqual([
      {
        ...gold[0],
        items: [
          { ...items[0], evidence_span: 'masala chai' },
          { ...items[1], domain: 'emotion' },
        ],
      },
    ]);
    ok(await run('score', 'journal/ashwam', '--gold', 'new.jsonl', '--predictions', 'pred.jsonl', '--quiet'));
  });

  it('scores the same in whatever format it is written', async () => {
    const { run, say } = await letters();
    for (const who of ['Ann', 'Ben']) say(who, AGREED);
    for (const format of ['brat', 'doccano', 'label-studio', 'prodigy', 'spacy-json', 'uima-json']) {
      const out = format === 'label-studio' ? 'tasks.json' : format;
      ok(await run('review', 'export', 'letters', '--gold', out, '--to', format));
      expect(await valuesOf(run, out), format).toEqual([4 / 6, 4 / 5, expect.closeTo(8 / 11, 12)]);
    }
  });

  it('counts places as the recipe of the review does', async () => {
    const gold = [{ id: 'd1', text: '🙂 Cy.', spans: [{ start: 3, end: 5, label: 'PERSON' }] }];
    const found = [{ id: 'd1', spans: [{ start: 3, end: 5, label: 'ORG' }] }];
    const { run, lines, say } = await letters('pii/review', gold, found, [], ['--offsets', 'utf16']);
    for (const who of ['Ann', 'Ben']) say(who, { d1: [{ label: 'wrong_label', kind: 'CITY' }] });
    ok(await run('review', 'export', 'letters', '--gold', 'new.jsonl'));
    expect(lines('new.jsonl')).toEqual([{ ...gold[0], spans: [{ start: 3, end: 5, label: 'CITY', text: 'Cy' }] }]);
    expect(await valuesOf(run, 'new.jsonl', '--offsets', 'utf16')).toEqual([0, 0, 0]);
  });

  it('of a review that nobody has begun scores as the files do, if gold is kept', async () => {
    const folder = temporaryFolder();
    const run = (...args: string[]) => assayHere(args, { cwd: folder, env: { ASSAY_DATA: join(folder, '.assay') } });
    const task = (name: string) => join(ROOT, 'examples', name);
    const inputs = {
      'pii/review pii/piranha': [
        ['--cases', task('pii/docs.json')],
        ['--predictions', task('pii/docs.json')],
      ],
      'graph/review graph/openspec': [
        ['--cases', task('graph/items.jsonl')],
        ['--predictions', task('graph/outputs.jsonl')],
      ],
      'journal/review journal/ashwam': [
        ['--cases', task('journal/journals.jsonl'), '--gold', task('journal/gold.jsonl')],
        ['--predictions', task('journal/predictions.jsonl')],
      ],
    } as const;
    for (const [names, [files, predictions]] of Object.entries(inputs)) {
      const [form = '', recipe = ''] = names.split(' ');
      const own = form.startsWith('pii') ? [] : predictions;
      ok(
        await run('review', 'create', form.replace('/', '-'), '--recipe', form, ...files, ...own, '--reviewer', 'Ann'),
      );
      const out = `${form.replace('/', '-')}.json`;
      ok(await run('review', 'export', form.replace('/', '-'), '--gold', out, '--unresolved', 'keep-gold'));
      const score = async (...given: readonly string[]): Promise<unknown> =>
        (JSON.parse(ok(await run('score', recipe, ...given, '--json'))) as { measures: unknown }).measures;
      expect(await score('--gold', out, ...predictions), form).toEqual(await score(...files, ...own));
    }
  });
});
