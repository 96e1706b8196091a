import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readRun, score, scoreSystems } from '../../src/index.ts';
import { assayHere } from './assay-here.ts';
import { example, type Finished, ROOT, temporaryFolder, words } from './run-assay.ts';
import { runBytes } from './run-files.ts';

const here = (args: readonly string[]): Promise<Finished> => assayHere(args, { cwd: ROOT });
const QUICK = ['--set', 'interval.resamples=50'];
const JOURNAL = words`score journal/ashwam --cases ${example('journal/journals.jsonl')}
  --gold ${example('journal/gold.jsonl')} --predictions ${example('journal/predictions.jsonl')} ${QUICK}`;
const NAMED = ['--name', 'GLiNER <small>', '--note', 'first try', '--tag', 'prompt=v3', '--tag', 'model=gliner'];

function without(bytes: Readonly<Record<string, string>>, file: RegExp): Record<string, string> {
  return Object.fromEntries(Object.entries(bytes).filter(([name]) => !file.test(name)));
}

describe('the name of a run', () => {
  it('is in about.json and at the top of the reports, and changes no other byte', async () => {
    const folder = temporaryFolder();
    const [plain, named, again] = ['plain', 'named', 'again'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await here([...JOURNAL, '--out', plain]);
    const { stdout, code } = await here([...JOURNAL, '--out', named, ...NAMED]);
    await here([...JOURNAL, '--out', again, '--tag', 'model=gliner', '--tag', 'prompt=v3', ...NAMED.slice(0, 4)]);
    expect(code).toBe(0);
    expect(stdout).toContain('GLiNER <small> (journal/ashwam): 8 cases');
    expect(stdout).toContain('first try\nTags: model=gliner, prompt=v3\n');
    expect(runBytes(again)).toEqual(runBytes(named));
    const reports = /^report\.|^about\.json$/;
    expect(without(runBytes(named), reports)).toEqual(without(runBytes(plain), reports));
    expect(readdirSync(plain)).not.toContain('about.json');
    expect(JSON.parse(readFileSync(join(named, 'about.json'), 'utf8'))).toEqual({
      name: 'GLiNER <small>',
      note: 'first try',
      tags: { model: 'gliner', prompt: 'v3' },
    });
    const page = readFileSync(join(named, 'report.html'), 'utf8');
    expect(page).toContain('<title>GLiNER &lt;small&gt; · assay</title>');
    expect(page).toContain('"name":"GLiNER \\u003csmall>","naming":{"name":"GLiNER \\u003csmall>","note":"first try"');
    expect(readFileSync(join(named, 'report.md'), 'utf8')).toMatch(
      /^# GLiNER &lt;small&gt; \(journal\/ashwam\): 8 cases\n/,
    );
    const { hash } = (await readRun(named)).about?.commit ?? {};
    const head = execFileSync('git', ['-C', ROOT, 'rev-parse', 'HEAD'], { encoding: 'utf8' });
    for (const file of ['report.html', 'report.md', 'manifest.json'])
      expect(readFileSync(join(named, file), 'utf8')).not.toContain(head.slice(0, 12));
    expect(hash).toBe(head.slice(0, 12));
  });

  it('is that of all shards, or the one that merge is given', async () => {
    const folder = temporaryFolder();
    const cases = join(folder, 'cases.jsonl');
    const spans = [{ start: 0, end: 3, label: 'PERSON' }];
    const lines = Array.from({ length: 7 }, (_, id) =>
      JSON.stringify({ id: `c${id}`, text: `Ann met Bo, ${id}.`, gold: spans, predicted: id % 2 ? spans : [] }),
    );
    writeFileSync(cases, `${lines.join('\n')}\n`);
    const call = words`score pii/strict --cases ${cases} ${QUICK}`;
    const [whole, one, two, merged, other] = ['whole', 'one', 'two', 'merged', 'other'].map((name) =>
      join(folder, name),
    ) as [string, string, string, string, string];
    await here([...call, '--out', whole, ...NAMED]);
    await here([...call, '--shard', '1/2', '--out', one, ...NAMED]);
    await here([...call, '--shard', '2/2', '--out', two, ...NAMED]);
    expect(await here(['merge', one, two, '--out', merged])).toMatchObject({ code: 0 });
    expect(runBytes(merged)).toEqual(runBytes(whole));
    expect((await readRun(merged)).about?.commit).toEqual((await readRun(whole)).about?.commit);

    await here([...call, '--shard', '2/2', '--out', two]);
    await here(['merge', one, two, '--out', other, ...NAMED]);
    expect(runBytes(other)).toEqual(runBytes(whole));
    await here(['merge', one, two, '--out', other]);
    expect((await readRun(other)).about).toMatchObject({ name: null, note: null, tags: {} });
  });

  it('tells runs apart in a comparison, with the folder where two share it', async () => {
    const folder = temporaryFolder();
    const runs = ['a', 'b', 'c'].map((name) => join(folder, name));
    for (const [at, run] of runs.entries())
      await here([...JOURNAL, '--out', run, ...(at === 2 ? [] : ['--name', 'with hints'])]);
    const compared = async (...args: readonly string[]): Promise<string[]> => {
      const { stdout } = await here(['compare', ...args, '--measure', 'f1', '--resamples', '20', '--json']);
      return (JSON.parse(stdout) as { systems: { name: string }[] }).systems.map(({ name }) => name);
    };
    expect(await compared(runs[0]!, runs[2]!)).toEqual(['with hints', 'c']);
    expect(await compared(...runs)).toEqual(['with hints (a)', 'with hints (b)', 'c']);
    await here(['name', runs[2]!, 'c (b)']);
    const { stdout } = await here(['compare', ...runs, '--measure', 'f1', '--resamples', '20']);
    expect(stdout).toContain('with hints (b) and c (b) against with hints (a)');
    expect(stdout).toContain(join(folder, 'c').slice(0, 20));
    const page = join(folder, 'page.html');
    await here(['compare', runs[0]!, runs[2]!, '--measure', 'f1', '--resamples', '20', '--html', page]);
    expect(readFileSync(page, 'utf8')).toContain('<title>with hints and c (b) · assay</title>');
    expect((await here(['repeats', ...runs])).stdout).toMatch(
      new RegExp(`1 {2}${runs[0]!}\\n *2 {2}${runs[1]!}\\n *3 {2}c \\(b\\)`),
    );
  });

  it('is in what a gate prints and writes', async () => {
    const folder = temporaryFolder();
    const [run, baseline, rules] = ['run', 'baseline', 'gate.yaml'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await here([...JOURNAL, '--out', run, ...NAMED]);
    await here([...JOURNAL, '--out', baseline, '--name', 'main']);
    writeFileSync(rules, 'rules: [{ measure: f1, atLeast: 0.5 }]\n');
    const junit = join(folder, 'gate.xml');
    const call = ['gate', run, '--baseline', baseline, '--rules', rules];
    const { stdout } = await here([...call, '--junit', junit]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`on GLiNER <small>, ${run}, against main, ${baseline}`);
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('<testsuite name="assay gate GLiNER &lt;small&gt;"');
    expect(xml).toContain('<property name="run.tag.model" value="gliner"/>');
    expect(xml).toContain('<property name="baseline.name" value="main"/>');
    const { run: told, baseline: other } = JSON.parse((await here([...call, '--json'])).stdout) as Record<
      string,
      unknown
    >;
    expect(told).toMatchObject({ folder: run, name: 'GLiNER <small>', tags: { model: 'gliner', prompt: 'v3' } });
    expect(other).toMatchObject({ folder: baseline, name: 'main' });
  });

  it('belongs to each of several systems, which are compared by their own names', async () => {
    const folder = temporaryFolder();
    const predictions = example('journal/predictions.jsonl');
    const gold = { cases: example('journal/journals.jsonl'), gold: example('journal/gold.jsonl') };
    const systems = { old: predictions, new: predictions };
    const options = { out: folder, set: ['interval.resamples=50'], name: 'May', tags: { month: '5' } };
    const { comparison } = await scoreSystems('journal/ashwam', { ...gold, predictions: systems }, options);
    expect(comparison?.systems.map(({ name }) => name)).toEqual(['old', 'new']);
    expect((await readRun(join(folder, 'old'))).about).toMatchObject({ name: 'May (old)', tags: { month: '5' } });
    expect((await readRun(join(folder, 'new'))).about).toMatchObject({ name: 'May (new)' });
  });

  it('comes from the library too', async () => {
    const out = join(temporaryFolder(), 'run');
    const files = {
      cases: example('journal/journals.jsonl'),
      gold: example('journal/gold.jsonl'),
      predictions: example('journal/predictions.jsonl'),
    };
    const started = Date.now();
    await score('journal/ashwam', files, { out, set: ['interval=off'], name: 'lib', note: 'why', tags: { a: 'b' } });
    const { about } = await readRun(out);
    expect(about).toMatchObject({ name: 'lib', note: 'why', tags: { a: 'b' } });
    expect(Date.parse(about?.date ?? '')).toBeGreaterThanOrEqual(started);
    await expect(score('journal/ashwam', files, { out, name: 'a\nb' })).rejects.toThrow(
      'characters that cannot be seen',
    );
  });

  it('is refused where it would go unseen, and where it makes no sense', async () => {
    const out = join(temporaryFolder(), 'run');
    const refusals = [
      [['--name', 'a'], '--name: it is kept in the run folder'],
      [['--tag', 'a=b'], '--tag: it is kept in the run folder'],
      [['--out', out, '--tag', 'a'], '--tag a: expected a key and a value'],
      [['--out', out, '--tag', 'a=b', '--tag', 'a=c'], '--tag a: given twice'],
      [['--out', out, '--name', ' '], '--name is empty'],
      [['--out', out, '--note', 'a\u0007'], 'characters that cannot be seen'],
    ] as const;
    for (const [flags, message] of refusals) {
      const { code, stderr } = await here([...JOURNAL, ...flags]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe('assay name', () => {
  it('names a run that is there as if it had been scored under that name, and takes it back', async () => {
    const folder = temporaryFolder();
    const [run, named] = ['run', 'named'].map((name) => join(folder, name)) as [string, string];
    await here([...JOURNAL, '--out', named, ...NAMED]);
    await here([...JOURNAL, '--out', run]);
    const before = runBytes(run);
    const call = ['name', run, 'GLiNER <small>', '--note', 'first try', '--tag', 'prompt=v3', '--tag', 'model=gliner'];
    const { code, stdout, stderr } = await here(call);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^GLiNER <small>\n.*\n\nfirst try\nTags: model=gliner, prompt=v3\n\nScored \d{4}-\d\d-\d\d \d\d:\d\d UTC at commit/,
    );
    expect(stderr).toContain(`report.html keeps its title until assay report ${run} --format html writes it again.`);
    expect(without(runBytes(run), /html$/)).toEqual(without(runBytes(named), /html$/));
    // Nothing of the run is damaged by it.
    expect((await here(['report', run, '--format', 'html'])).code).toBe(0);
    expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain('<title>GLiNER &lt;small&gt; · assay</title>');

    await here(['name', run, '--tag', 'prompt=']);
    expect(JSON.parse((await here(['name', run, '--json'])).stdout)).toMatchObject({ tags: { model: 'gliner' } });
    await here(['name', run, '--clear']);
    expect(without(runBytes(run), /html$/)).toEqual(without(before, /html$/));
    expect((await here(['name', run])).stdout).toContain(`${run} has no name`);
  });

  it('refuses what is not a run', async () => {
    const folder = temporaryFolder();
    const { code, stderr } = await here(['name', folder, 'x']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a run')]);
  });
});
