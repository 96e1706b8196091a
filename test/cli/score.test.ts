import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import {
  assay,
  example,
  type Finished,
  ROOT,
  temporaryFolder,
  GRAPH as GRAPH_CALL,
  JOURNAL as JOURNAL_CALL,
  PII as PII_CALL,
  words,
} from './run-assay.ts';
import { measuresOf, overall, runBytes, verdicts } from './run-files.ts';

/** Intervals are there, and cost little: their width is looked at elsewhere. */
const QUICK = ['--set', 'interval.resamples=200'];
const [JOURNAL, PII, GRAPH] = [JOURNAL_CALL, PII_CALL, GRAPH_CALL].map((call) => [...call, ...QUICK]) as [
  string[],
  string[],
  string[],
];

const here = (args: readonly string[], input?: string): Promise<Finished> =>
  assayHere(args, { cwd: ROOT, ...(input === undefined ? {} : { input }) });

describe('assay score', () => {
  it('audits what is not written only if asked', async () => {
    const cases = join(temporaryFolder(), 'cases.jsonl');
    // So few that the audit warns of it.
    const spans = [{ start: 0, end: 3, label: 'PERSON' }];
    const lines = ['a', 'b', 'c'].map((id) =>
      JSON.stringify({ id, text: `Ann met Bo, ${id}.`, gold: spans, predicted: spans }),
    );
    writeFileSync(cases, `${lines.join('\n')}\n`);
    const plain = await here(['score', 'pii/strict', '--cases', cases, ...QUICK]);
    const audited = await here(['score', 'pii/strict', '--cases', cases, ...QUICK, '--audit']);
    expect([plain.code, audited.code]).toEqual([0, 0]);
    expect(plain.stdout).not.toContain('warning');
    expect(plain.stdout).toContain('keeps the ledger, the measures, the audit and the report');
    expect(audited.stdout).toContain('warning: f1 rests on 3 cases');
  });

  it('scores journals from three files', async () => {
    const out = join(temporaryFolder(), 'run');
    expect(await here([...JOURNAL, '--out', out])).toMatchObject({ code: 0, stderr: '' });
    const measures = measuresOf(out);
    expect([verdicts(measures, 'hit'), verdicts(measures, 'spurious'), verdicts(measures, 'missed')]).toEqual([
      21, 7, 11,
    ]);
    expect(overall(measures, 'precision')).toBe(0.75);
    expect(overall(measures, 'recall')).toBe(0.65625);
    expect(readdirSync(out).toSorted()).toEqual([
      'audit.json',
      'cases.jsonl',
      'figures.json',
      'ledger.jsonl',
      'manifest.json',
      'measures.json',
      'report.html',
      'report.md',
      'timing.json',
    ]);
  });

  it('scores documents that hold gold and predictions', async () => {
    const out = join(temporaryFolder(), 'run');
    expect((await here([...PII, '--out', out])).code).toBe(0);
    const measures = measuresOf(out);
    expect([
      verdicts(measures, 'hit'),
      verdicts(measures, 'spurious'),
      verdicts(measures, 'missed'),
      verdicts(measures, 'excused'),
    ]).toEqual([38, 14, 8, 35]);
  });

  it('scores extractions against dataset items, with a setting laid over the preset', async () => {
    const out = join(temporaryFolder(), 'run');
    expect((await here([...GRAPH, '--out', out, '--set', 'pair.assign=optimal'])).code).toBe(0);
    const measures = measuresOf(out);
    expect([verdicts(measures, 'hit', 'entity'), verdicts(measures, 'hit', 'relationship')]).toEqual([16, 13]);
    expect(readFileSync(join(out, 'manifest.json'), 'utf8')).toContain('"assign": "optimal"');
  });

  it('gives the same bytes again, in another place, language and time zone', async () => {
    const folder = temporaryFolder();
    const calls = Object.entries({ journal: JOURNAL, pii: PII, graph: GRAPH });
    for (const [task, call] of calls) await here([...call, '--out', join(folder, `${task}-a`)]);
    // A language is taken when a process begins: another one, for all three.
    const others = calls.map(([task, call]) => [...call, '--out', join(folder, 'deeper', `${task}-b`)]);
    const script = `import { main } from ${JSON.stringify(join(ROOT, 'src/cli/main.ts'))};
for (const call of ${JSON.stringify(others)}) process.exitCode ||= await main(call);`;
    const { status } = spawnSync(process.execPath, ['--conditions=assay-source', '--input-type=module', '-e', script], {
      cwd: folder,
      env: { ...process.env, LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kolkata' },
    });
    expect(status).toBe(0);
    for (const [task] of calls)
      expect(runBytes(join(folder, `${task}-a`))).toEqual(runBytes(join(folder, 'deeper', `${task}-b`)));
  });

  it('gives the same measures.json when the lines of the files are shuffled', async () => {
    const folder = temporaryFolder();
    const reversed = (path: string): string => {
      const file = join(folder, path.replaceAll('/', '-'));
      writeFileSync(file, `${readFileSync(example(path), 'utf8').trimEnd().split('\n').toReversed().join('\n')}\n`);
      return file;
    };
    await here([...JOURNAL, '--out', join(folder, 'a')]);
    await here(
      words`score journal/ashwam --cases ${reversed('journal/journals.jsonl')} --gold ${reversed('journal/gold.jsonl')} --predictions ${example('journal/predictions.jsonl')} ${QUICK} --out ${join(folder, 'b')}`,
    );
    expect(readFileSync(join(folder, 'b/measures.json'), 'utf8')).toBe(
      readFileSync(join(folder, 'a/measures.json'), 'utf8'),
    );
  });

  it('gives the same measures.json when the items within the cases are turned round', async () => {
    const folder = temporaryFolder();
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned).toReversed();
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, turned(inner)]));
    };
    const rewritten = (path: string, lines: boolean): string => {
      const file = join(folder, path.replaceAll('/', '-'));
      const text = readFileSync(example(path), 'utf8');
      const records = lines
        ? text
            .trimEnd()
            .split('\n')
            .map((line): unknown => JSON.parse(line))
        : [JSON.parse(text)];
      writeFileSync(file, records.map((record) => JSON.stringify(turned(record))).join('\n'));
      return file;
    };
    const docs = rewritten('pii/docs.json', false);
    const calls = ['pii/piranha', 'pii/semeval', 'pii/every-scheme', 'pii/tab'].map((preset) => [
      ['score', preset, '--cases', example('pii/docs.json')],
      ['score', preset, '--cases', docs],
    ]);
    const graph = [rewritten('graph/items.jsonl', true), rewritten('graph/outputs.jsonl', true)] as const;
    calls.push([GRAPH, ['score', 'graph/openspec', '--gold', graph[0], '--predictions', graph[1]]]);
    for (const [before, after] of calls) {
      // Few resamples: enough to see that intervals, too, do not depend on the order.
      const few = ['--set', 'interval.resamples=100', '--quiet'];
      await here([...before!, ...few, '--out', join(folder, 'a')]);
      await here([...after!, ...few, '--out', join(folder, 'b')]);
      expect(readFileSync(join(folder, 'b/measures.json'), 'utf8')).toBe(
        readFileSync(join(folder, 'a/measures.json'), 'utf8'),
      );
    }
  });

  it('reads standard input and gzip', () => {
    const folder = temporaryFolder();
    const packed = join(folder, 'gold.jsonl.gz');
    writeFileSync(packed, gzipSync(readFileSync(example('journal/gold.jsonl'))));
    const call = words`score journal/ashwam --cases - --gold ${packed} --predictions ${example('journal/predictions.jsonl')} ${QUICK} --json`;
    const done = assay(call, { input: readFileSync(example('journal/journals.jsonl')) });
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ cases: { total: 8, failed: 0, unanswered: 1 } });
  });

  it('writes nothing but JSON on standard output with --json, and nothing at all with --quiet', async () => {
    const done = await here([...PII, '--json']);
    expect(() => void JSON.parse(done.stdout)).not.toThrow();
    expect(done.stderr).toContain('precision');
    expect(assay([...PII, '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('sends nothing with --json that a terminal would act on', async () => {
    const label = '\u009b31m\u202ered';
    const span = [{ start: 0, end: 3, label }];
    const input = JSON.stringify({ id: 'd1', text: 'Ann met Bo.', gold: span, predicted: span });
    const done = await here(['score', 'pii/strict', '--cases', '-', '--json'], input);
    expect(done.stdout).not.toMatch(/[\u009b\u202e]/);
    expect(JSON.parse(done.stdout)).toMatchObject({
      measures: expect.arrayContaining([expect.objectContaining({ slice: { label } })]),
    });
  });

  it('gives the three forms of the same spans the same measures', async () => {
    const folder = temporaryFolder();
    const columns = 'id=document,start=from,end=to,label=category,text=surface';
    await here(
      words`score pii/strict --gold ${example('pii/gold.jsonl')} --predictions ${example('pii/predictions.jsonl')} ${QUICK} --out ${join(folder, 'jsonl')}`,
    );
    await here(
      words`score pii/strict --cases ${example('pii/gold.jsonl')} --gold ${example('pii/gold.csv')} --predictions ${example('pii/predictions.csv')} --columns ${columns} --format auto ${QUICK} --out ${join(folder, 'csv')}`,
    );
    await here(['score', 'pii/strict', '--cases', example('pii/docs.json'), ...QUICK, '--out', join(folder, 'docs')]);
    const [jsonl, csv, docs] = ['jsonl', 'csv', 'docs'].map((name) => measuresOf(join(folder, name)));
    expect(csv?.measures).toEqual(jsonl?.measures);
    expect(docs?.measures).toEqual(jsonl?.measures);
  });

  it('scores CoNLL files: 7 hits of 12 gold and 12 predicted spans', async () => {
    const out = join(temporaryFolder(), 'run');
    await here(
      words`score pii/strict --gold ${example('pii/gold.bio')} --predictions ${example('pii/predictions.bio')} ${QUICK} --out ${out}`,
    );
    const measures = measuresOf(out);
    expect([verdicts(measures, 'hit'), verdicts(measures, 'spurious'), verdicts(measures, 'missed')]).toEqual([
      7, 5, 5,
    ]);
  });

  it('offers the files the journal exercise expects', async () => {
    const out = join(temporaryFolder(), 'run');
    await here([...JOURNAL, '--out', out, '--legacy-files']);
    expect(JSON.parse(readFileSync(join(out, 'score_summary.json'), 'utf8'))).toMatchObject({
      journals: 8,
      tp: 21,
      fp: 7,
      fn: 11,
      precision: 0.75,
    });
    const lines = readFileSync(join(out, 'per_journal_scores.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(8);
    expect(JSON.parse(lines[4] ?? '')).toMatchObject({ journal_id: 'D05', tp: 0, fp: 0, fn: 0, precision: null });
  });

  it('leaves nothing behind when the input is bad', async () => {
    const folder = temporaryFolder();
    const broken = join(folder, 'broken.jsonl');
    writeFileSync(broken, readFileSync(example('journal/predictions.jsonl'), 'utf8').slice(0, -40));
    const done = await here([...JOURNAL_CALL.slice(0, -1), broken, '--out', join(folder, 'run')]);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain(`${broken}:7:`);
    expect(done.stderr).not.toMatch(/\n\s+at /);
    expect(readdirSync(folder)).toEqual(['broken.jsonl']);
  });

  it('refuses to replace a folder that is no run, and replaces one that is', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'mine.txt'), 'keep me');
    const refused = await here([...PII, '--out', folder]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('not empty');
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('keep me');
    await here([...PII, '--out', join(folder, 'run')]);
    expect((await here([...JOURNAL, '--out', join(folder, 'run')])).code).toBe(0);
    expect(existsSync(join(folder, 'run', 'report.md'))).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['mine.txt', 'run']);
  });
});
