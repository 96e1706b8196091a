import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { isRecord } from '../../src/data/record-fields.ts';
import { assayHere } from './assay-here.ts';
import { temporaryFolder } from './run-assay.ts';

const RECIPE = `
task: pii
extends: pii/strict
interval: { resamples: 50 }
review:
  show: [{ field: text, title: The text }]
  under: text
  fields:
    clarity: { type: scale, title: Is it clear? }
    tone:
      { type: scale, title: How does it sound?, adjudicate: true, dimensions: { warm: Warm, plain: Plain } }
    verdict: { type: choice, title: Fit to be sent?, options: { ok: Yes, bad: { title: No, better: lower } } }
    topic: { type: choice, of: case, title: What is it about?, options: { work: Work, home: Home } }
    spans: { type: items, from: predicted, title: Are they right?, labels: { right: Right, wrong: Wrong } }
    ticks: { type: checklist, title: What does it have?, items: { date: A date, place: A place }, notApplicable: [place] }
    comment: { type: text, title: Anything else? }
`;
const TEXT = 'Anna met Boris in Rome.';
const spans = [
  { start: 0, end: 4, label: 'PER' },
  { start: 9, end: 14, label: 'PER' },
];
const GOLD = ['1', '2'].map((id) => JSON.stringify({ id, text: TEXT, spans })).join('\n');
// reviewer, role, case, field, part, value
const REVIEWS = `
anna reviewer 1 clarity - 4
ben reviewer 1 clarity - 2
anna reviewer 2 clarity - 5
anna reviewer 1 tone warm 1
ben reviewer 1 tone warm 3
carl adjudicator 1 tone warm 2
anna reviewer 1 tone plain 4
ben reviewer 1 tone plain 4
anna reviewer 2 tone warm 5
ben reviewer 2 tone warm 1
anna reviewer 1 verdict - ok
ben reviewer 1 verdict - bad
carl adjudicator 1 verdict - bad
anna reviewer 2 verdict - ok
ben reviewer 2 verdict - ok
anna reviewer 1 topic - work
ben reviewer 1 topic - work
anna reviewer 1 spans 0-4 right
anna reviewer 1 spans 9-14 right
ben reviewer 1 spans 0-4 right
ben reviewer 1 spans 9-14 wrong
carl adjudicator 1 spans 9-14 wrong
anna reviewer 1 ticks date yes
ben reviewer 1 ticks date yes
anna reviewer 1 ticks place na
ben reviewer 1 ticks place no
anna reviewer 2 ticks date no
ben reviewer 2 ticks date no
`;
const csv = ['reviewer,role,case_id,field,part,value']
  .concat(
    REVIEWS.trim()
      .split('\n')
      .map((line) => line.replaceAll(' - ', '  ').replaceAll(' ', ',')),
  )
  .join('\n');

function folderOfFiles(): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'recipe.yaml'), RECIPE);
  writeFileSync(join(cwd, 'gold.jsonl'), GOLD);
  writeFileSync(join(cwd, 'reviews.csv'), csv);
  return cwd;
}

function listOf(measures: unknown): Record<string, unknown>[] {
  const list = isRecord(measures) ? measures['measures'] : null;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function directions(measures: unknown): object {
  return Object.fromEntries(listOf(measures).map(({ name, direction }) => [String(name), direction]));
}

function values(measures: unknown): Map<string, readonly [unknown, unknown]> {
  return new Map(
    listOf(measures).map(({ name, slice, value, n }) => {
      const [label] = Object.values(isRecord(slice) ? slice : {});
      return [`${String(name)}${typeof label === 'string' ? ` ${label}` : ''}`, [value, n]];
    }),
  );
}

describe('a review form of one’s own', () => {
  it('gives measures without a line of YAML, before and after adjudication, beside those of the recipe', async () => {
    const cwd = folderOfFiles();
    const files = ['--gold', 'gold.jsonl', '--predictions', 'mine=gold.jsonl', '--reviews', 'reviews.csv'];
    const { code, stdout, stderr } = await assayHere(
      ['score', 'recipe.yaml', ...files, '--out', 'run', '--no-report'],
      { cwd },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const measures: unknown = JSON.parse(readFileSync(join(cwd, 'run/measures.json'), 'utf8'));
    const found = values(measures);
    expect(found.get('f1')).toEqual([1, 4]);
    const expected = {
      // 4, 2 and 5; then the mean of each text: 3 and 5.
      clarity: [11 / 3, 3],
      clarity_settled: [4, 2],
      // warm 1, 3, 5, 1 and plain 4, 4; then warm 2, as decided, and plain 4: the second text waits for a decision.
      tone: [3, 6],
      tone_warm: [2.5, 4],
      tone_plain: [4, 2],
      tone_settled: [3, 2],
      tone_warm_settled: [2, 1],
      // 3 of 4 say ok; one text is decided to be bad, on the other both agree.
      verdict_ok: [3 / 4, 4],
      verdict_bad: [1 / 4, 4],
      verdict_ok_settled: [1 / 2, 2],
      verdict_bad_settled: [1 / 2, 2],
      topic_work: [1, 2],
      topic_home: [0, 2],
      topic_work_settled: [1, 1],
      spans_right: [3 / 4, 4],
      spans_wrong_settled: [1 / 2, 2],
      // yes, yes, no (a place), no, no; what does not apply is no answer, and on it they differ.
      ticks: [2 / 5, 5],
      ticks_date: [1 / 2, 4],
      ticks_settled: [1 / 2, 2],
    };
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, found.get(name)]))).toEqual(expected);
    expect(directions(measures)).toMatchObject({ verdict_ok: 'higher', verdict_bad: 'lower', spans_wrong: 'lower' });
    // Labels of the recipe stay those of what was found.
    expect([...found.keys()].filter((name) => name.startsWith('f1'))).toEqual(['f1', 'f1 PER']);
    expect(stdout).toContain('Agreement of people');

    const page = readFileSync(join(cwd, 'run/evaluation_summary_report.md'), 'utf8');
    expect(page).toContain('### What reviewers said');
    expect(page).toContain('| clarity | higher | 3.67 (3.00 to 5.00), n 3 |');
    expect(page).not.toMatch(/## (?:Ground truth|Classes|Hallucination|Readability|Languages|Rules against)/);
    const manifest = readFileSync(join(cwd, 'run/manifest.json'), 'utf8');
    expect(manifest).toContain('"role": "reviews"');
  });

  it('adds to a preset’s; sections about what no question is for disappear', async () => {
    const cwd = temporaryFolder();
    const form =
      'show: [{ field: response, title: Answer }]\n  fields: { helpful: { type: scale, title: Does it help? } }';
    writeFileSync(
      join(cwd, 'recipe.yaml'),
      `extends: consult/ayurmind\nconsult: { claims: none, ticks: none }\ninterval: { resamples: 50 }\nreview:\n  ${form}\n`,
    );
    writeFileSync(join(cwd, 'cases.csv'), 'id,scenario,ground_truth_prakriti\n1,I am cold,vata\n2,I am warm,pitta\n');
    const answer = (id: string): string => JSON.stringify({ case_id: id, response: 'Rest. Eat warm food.' });
    writeFileSync(join(cwd, 'mine.jsonl'), ['1', '2'].map(answer).join('\n'));
    const lines = ['1,anna,helpful,4', '1,ben,helpful,2', '2,anna,helpful,5'];
    writeFileSync(join(cwd, 'reviews.csv'), ['case_id,reviewer,field,value', ...lines].join('\n'));
    const files = ['--cases', 'cases.csv', '--predictions', 'mine.jsonl', '--reviews', 'reviews.csv'];
    const args = ['score', 'recipe.yaml', ...files, '--out', 'run', '--no-report', '--quiet'];
    expect(await assayHere(args, { cwd })).toEqual({ code: 0, stdout: '', stderr: '' });
    const found = values(JSON.parse(readFileSync(join(cwd, 'run/measures.json'), 'utf8')));
    expect([found.get('helpful'), found.get('helpful_settled')]).toEqual([
      [11 / 3, 3],
      [4, 2],
    ]);
    const page = readFileSync(join(cwd, 'run/evaluation_summary_report.md'), 'utf8');
    expect(page).toMatch(/## Ground truth/);
    expect(page).not.toMatch(/## (?:Hallucination|Rules against experts)/);
  });

  it('is refused by a recipe without one', async () => {
    const cwd = folderOfFiles();
    const files = ['--gold', 'gold.jsonl', '--predictions', 'gold.jsonl', '--reviews', 'reviews.csv'];
    expect(await assayHere(['score', 'pii/strict', ...files], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no review form'),
    });
  });
});
