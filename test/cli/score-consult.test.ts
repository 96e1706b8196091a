import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { type Finished, ROOT, temporaryFolder, words } from './run-assay.ts';

const example = (name: string): string => join(ROOT, 'examples/consult', name);
const assay = (args: readonly string[]): Promise<Finished> => assayHere(args, { cwd: ROOT });
const QUICK = ['--set', 'interval.resamples=50'];
const BOTH = [
  '--cases',
  example('cases.csv'),
  '--predictions',
  example('plain.jsonl'),
  '--predictions',
  example('guided.jsonl'),
];

describe('assay score consult/ayurmind', () => {
  it('scores each system into a folder of its own, and writes what it all comes to', async () => {
    const out = join(temporaryFolder(), 'runs');
    const { code, stdout } = await assay(
      words`score consult/ayurmind ${BOTH} --reviews ${example('reviews.csv')} --out ${out} ${QUICK}`,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('guided against plain');
    const measures: unknown = JSON.parse(readFileSync(join(out, 'guided/measures.json'), 'utf8'));
    expect(measures).toMatchObject({
      measures: expect.arrayContaining([expect.objectContaining({ name: 'hallucination_rate', value: 3 / 13 })]),
    });
    const manifest = readFileSync(join(out, 'guided/manifest.json'), 'utf8');
    expect(manifest).toContain('"role": "reviews"');
    expect(readFileSync(join(out, 'evaluation_summary_report.md'), 'utf8')).toContain('# Evaluation summary');

    // plain answered in English only: the cases that both have are compared.
    const compared = await assay(['compare', join(out, 'plain'), join(out, 'guided')]);
    expect([compared.code, compared.stdout.split('\n').slice(0, 2)]).toEqual([
      0,
      ['guided against plain', '6 cases paired.'],
    ]);

    const again = await assay(words`score consult/ayurmind ${BOTH.slice(0, 4)} --out ${join(out, 'guided')} ${QUICK}`);
    expect(again.code).toBe(0);
    const inside = await assay(['score', 'consult/ayurmind', ...BOTH, '--out', join(out, 'guided'), ...QUICK]);
    expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('holds the run of one system')]);
  });

  it('takes a folder of answers as a system for each file, and a folder with a name as one system', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'results'));
    for (const name of ['plain', 'guided'])
      copyFileSync(example(`${name}.jsonl`), join(cwd, `results/results_${name}.jsonl`));
    const score = (...more: readonly string[]): Promise<Finished> =>
      assayHere(['score', 'consult/ayurmind', '--cases', example('cases.csv'), ...more, ...QUICK], { cwd });
    const each = await score('--predictions', 'results/', '--out', 'runs', '--no-report');
    expect(each).toMatchObject({ code: 0, stdout: expect.stringContaining('2 systems: guided and plain') });
    expect(each.stderr).toContain(
      'results/: one system per file (guided, plain). Use NAME=results/ to read the folder as one system.',
    );
    expect(readFileSync(join(cwd, 'runs/guided/manifest.json'), 'utf8')).toContain('results_guided.jsonl');

    const refused = await score('--predictions', 'both=results/');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('a second answer to "C01"')]);

    const parts = readFileSync(example('plain.jsonl'), 'utf8').trim().split('\n');
    mkdirSync(join(cwd, 'mixed/plain'), { recursive: true });
    parts.forEach((line, at) => writeFileSync(join(cwd, `mixed/plain/part-${at}.jsonl`), `${line}\n`));
    copyFileSync(example('guided.jsonl'), join(cwd, 'mixed/guided.jsonl'));
    const mixed = await score('--predictions', 'mixed');
    expect(mixed).toMatchObject({ code: 0, stdout: expect.stringContaining('2 systems: guided and plain') });
    const whole = await score('--predictions', 'plain=mixed/plain', '--json');
    expect(whole.code).toBe(0);
    const asFile = await score('--predictions', example('plain.jsonl'), '--json');
    const measuresOf = ({ stdout }: Finished): string => /"measures":[\s\S]*/.exec(stdout)![0];
    expect(measuresOf(whole)).toBe(measuresOf(asFile));

    const created = await assayHere(
      words`review create pilot --recipe consult/ayurmind --cases ${example('cases.csv')} --predictions results --reviewers form`,
      { cwd },
    );
    expect([created.code, created.stdout]).toEqual([0, expect.stringContaining('6 cases and 14 answers')]);
  });

  it('writes the report and both sheets in one call, blinded, and goes on with what is filled in', async () => {
    const cwd = temporaryFolder();
    const score = (...more: readonly string[]): Promise<Finished> =>
      assayHere(['score', 'consult/ayurmind', ...BOTH, '--no-report', ...QUICK, ...more], { cwd });
    const first = await score('--out', 'runs/pilot', '--sheets', 'sheets');
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('assay review import pilot sheets/WHO/FILE.csv');
    expect(first.stdout).toContain('--review pilot');
    const page = join(cwd, 'runs/pilot/evaluation_summary_report.md');
    expect(readFileSync(page, 'utf8')).toContain('# Evaluation summary');
    const ratings = join(cwd, 'sheets/expert-1/outputs_for_human_review.csv');
    expect(readFileSync(join(cwd, 'sheets/annotator-2/outputs_for_hallucination_check.csv'), 'utf8')).toContain(
      'claim',
    );
    const blank = readFileSync(ratings, 'utf8');
    expect(blank).not.toMatch(/guided|plain/);

    // The first row gets a class; the sheets of the review have it, and the report counts it.
    const [header = '', ...rows] = blank.split('\r\n');
    const at = header.split(',').indexOf('prakriti');
    const row = rows.findIndex((line) => line.split(',')[at] === '');
    expect([at > 0, row >= 0]).toEqual([true, true]);
    rows[row] = rows[row]!.split(',').with(at, 'vata').join(',');
    writeFileSync(ratings, [header, ...rows].join('\r\n'));
    const imported = await assayHere(words`review import pilot ${ratings} --reviewer Asha`, { cwd });
    expect([imported.code, imported.stderr]).toEqual([0, expect.anything()]);
    const second = await score('--out', 'runs/pilot', '--review', 'pilot', '--sheets', 'again');
    expect(second.code).toBe(0);
    expect(readFileSync(join(cwd, 'again/Asha/outputs_for_human_review.csv'), 'utf8')).toContain('vata');

    const refused = async (...more: readonly string[]): Promise<unknown[]> => {
      const { code, stderr } = await score(...more);
      return [code, stderr];
    };
    const why = (text: string): unknown[] => [2, expect.stringContaining(text)];
    expect(await refused('--out', 'runs/pilot', '--sheets', 'new')).toEqual(
      why('there is a review named "pilot" already'),
    );
    expect(await refused('--out', 'runs/other', '--sheets', 'sheets')).toEqual(why('there are files already'));
    expect(await refused('--sheets', 'new')).toEqual(why('add --out FOLDER'));
    expect(await refused('--out', 'runs/other', '--sheets', 'new', '--reviews', example('reviews.csv'))).toEqual(
      why('assay review import'),
    );
    expect(existsSync(join(cwd, 'runs/other'))).toBe(false);
  });

  it('shows how far adjudication can still move the hallucination rate', async () => {
    const folder = temporaryFolder();
    const lines = readFileSync(example('reviews.csv'), 'utf8').split('\n');
    const reviews = join(folder, 'r.csv');
    writeFileSync(reviews, lines.filter((line) => !line.includes(',adjudicator,claims,')).join('\n'));
    const inputs = ['--cases', example('cases.csv'), '--predictions', example('guided.jsonl'), '--reviews', reviews];
    const out = join(folder, 'run');
    const { code, stdout } = await assay(['score', 'consult/ayurmind', ...inputs, '--out', out, ...QUICK]);
    expect(code).toBe(0);
    // Worked out in test/formats/consult/score-consult.test.ts: 5 of 27 votes; 2 of 14 to 4 of 14; 2 of 12 are settled.
    const shown = {
      hallucination_rate: '0.185',
      hallucination_rate_low: '0.143',
      hallucination_rate_high: '0.286',
      hallucination_rate_settled: '0.167',
      claim_coverage: '0.857',
    };
    for (const [name, value] of Object.entries(shown)) expect(stdout).toMatch(new RegExp(` ${name} +${value} `));
    expect(readFileSync(join(out, 'evaluation_summary_report.md'), 'utf8').replaceAll(/\s+/g, ' ')).toContain(
      'Not yet adjudicated: 14 % of the claims wait for a second annotator or for the adjudicator, and count by the share of their votes. The rate is 0.143 if none of them is hallucinated and 0.286 if all are; of the settled claims alone it is 0.167.',
    );
  });

  it('tells on the terminal which lines of reviews are about nothing that is scored', async () => {
    const reviews = join(temporaryFolder(), 'r.csv');
    writeFileSync(
      reviews,
      'case_id,system,reviewer,field,part,value\nC99,,asha,prakriti,,vata\nC01,giuded,gita,safety,harm,4\n',
    );
    const { code, stdout } = await assay(
      words`score consult/ayurmind ${BOTH.slice(0, 2)} --predictions ${example('guided.jsonl')} --reviews ${reviews} ${QUICK}`,
    );
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '1 line of the reviews is about cases that the case file does not have and in no figure: "C99"',
    );
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('"giuded"; is "guided" meant?');
  });

  it('says on its page what the audit found, names no page that is not there, and no class that only failed cases have', async () => {
    const cwd = temporaryFolder();
    const ids = Array.from({ length: 12 }, (_, at) => `C${at + 1}`);
    writeFileSync(
      join(cwd, 'cases.csv'),
      `id,scenario,ground_truth_prakriti\n${ids.map((id) => `${id},What about ${id}?,Kapha`).join('\n')}\n`,
    );
    const answer = 'Your constitution is kapha. Eat warm food, rest well and see a physician if it lasts.';
    const line = (id: string, at: number): string =>
      JSON.stringify(at < 2 ? { case_id: id, error: 'timed out' } : { case_id: id, response: answer });
    writeFileSync(join(cwd, 'sys.jsonl'), `${ids.map(line).join('\n')}\n`);
    const flags = ['--cases', 'cases.csv', '--predictions', 'sys.jsonl', '--out', 'runs', '--no-report', ...QUICK];
    const { code, stdout } = await assayHere(['score', 'consult/ayurmind', ...flags], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('2 of 12 cases failed');
    expect(stdout).not.toContain('knows no class');
    expect(stdout).not.toContain('Every case, in a browser');
    const page = readFileSync(join(cwd, 'runs/evaluation_summary_report.md'), 'utf8');
    expect(page).toMatch(/## Before you read the numbers\n\n- ⚠️ error \(repeated-answers\): 10 of 10 answers/);
  });

  it.each([
    [['--gold', 'g.csv'], '--gold is not for consult recipes'],
    [['--predictions', `..=${example('plain.jsonl')}`], 'a system cannot be called ".."'],
    [['--predictions', `GUIDED=${example('plain.jsonl')}`], 'two files of answers are both of the system'],
    [['--review', 'pilot', '--reviews', 'x.csv'], '--review and --reviews both name reviews'],
  ])('%j is refused', async (more, why) => {
    const { code, stderr } = await assay(
      words`score consult/ayurmind --cases ${example('cases.csv')} --predictions ${example('guided.jsonl')} ${more}`,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});
