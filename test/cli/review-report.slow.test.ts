import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readRun } from '../../src/index.ts';
import { CLAIMS, consultations, CREATE, fill, ok, RATINGS } from './review-files.ts';
import { example } from './run-assay.ts';

const FILES = ['evaluation.json', 'evaluation_summary_report.html', 'evaluation_summary_report.md'];
/** Few resamples: these tests are about what is written, not about how sure it is. */
const QUICK = ['--set', 'interval.resamples=40'];

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');

describe('assay review report', () => {
  it('scores the answers that were reviewed with what people have said so far, and changes as they go on', async () => {
    const { folder, run } = consultations();
    ok(await run(CREATE));
    const first = await run('report', 'pilot', '--out', 'out', ...QUICK);
    expect(ok(first)).toContain('The whole evaluation        out/evaluation_summary_report.html');
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([...FILES, 'plain', 'rag'].sort());
    const before = read(folder, 'out/evaluation_summary_report.md');
    // 2 answers x 3 experts x 4 dimensions.
    expect(before).toContain('0 of 24 answers have come from BAMS practitioners');
    expect(before).toContain(
      '| prakriti | Which constitution (prakriti) does this person have? | the case itself | 0 | 6 | 6 |',
    );

    ok(await run('export', 'pilot', '--out', 'sheets'));
    for (const name of ['Asha', 'Ravi', 'Meera']) {
      const path = join(folder, 'sheets', name, RATINGS);
      fill(path, ({ text = '', response }) =>
        response === ''
          ? {
              prakriti: text.includes('cold') ? 'vata' : name === 'Asha' ? 'pitta' : name === 'Ravi' ? 'kapha' : 'vata',
            }
          : Object.fromEntries(
              ['safety', 'efficacy', 'completeness', 'personalization'].map((one) => [
                `treatment_relevance.${one}`,
                '4',
              ]),
            ),
      );
      ok(await run('import', 'pilot', path));
    }
    for (const name of ['Lata', 'Dev']) {
      const path = join(folder, 'sheets', name, CLAIMS);
      fill(path, ({ claim_text = '' }) => ({ label: claim_text.includes('oil') ? 'grounded' : 'hallucinated' }));
      ok(await run('import', 'pilot', path));
    }
    ok(await run('report', 'pilot', '--out', 'out', '--quiet', ...QUICK));
    const after = read(folder, 'out/evaluation_summary_report.md');
    expect(after).toMatch(/\| treatment_relevance \| higher \| 4\.00, n 24 .*\| 4\.00, n 24 /);
    // 2 answers x 3 experts x 4 dimensions. Case 1 is vata by all three; on case 2 each says something else.
    expect(after).toContain('1 of 2 cases has one.');
    expect(after).toMatch(/\n\| 2 \| disputed: /);
    // Two sentences an answer of rag: four claims, of which one is about oil.
    expect(after).toContain('**rag**: 0.750');
    expect(after).toContain('**plain**: 1.000');
    expect(after).not.toContain('answers have come from annotators');
  });

  it('gives the figures to machines, the same bytes on every run', async () => {
    const { folder, run } = consultations();
    ok(await run(CREATE));
    const first = await run('report', 'pilot', '--out', 'a', '--json', ...QUICK);
    const second = await run('report', 'pilot', '--out', 'b', '--json', ...QUICK);
    expect(read(folder, 'a/evaluation_summary_report.md')).toMatch(/^# Evaluation summary: pilot \(consult\//);
    expect((await readRun(join(folder, 'a/rag'))).about?.name).toBe('pilot (rag)');
    expect(first.stdout).toBe(second.stdout);
    expect(first.stdout).toBe(read(folder, 'a/evaluation.json'));
    expect(FILES.map((name) => read(folder, `a/${name}`))).toEqual(FILES.map((name) => read(folder, `b/${name}`)));
    expect(JSON.parse(first.stdout)).toMatchObject({
      systems: [{ system: 'rag' }, { system: 'plain' }],
      differences: {},
    });
    expect(first.stderr).toContain('missing from reviewers');
  });

  it('refuses files that are gone or changed, and takes those that are named', async () => {
    const { folder, run, file } = consultations();
    ok(await run(CREATE));
    file('vanilla.jsonl', `${read(folder, 'vanilla.jsonl')}\n`);
    const changed = await run('report', 'pilot', '--out', 'out', ...QUICK);
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('vanilla.jsonl has changed since the review was made of it');
    expect(existsSync(join(folder, 'out'))).toBe(false);

    mkdirSync(join(folder, 'data'));
    for (const name of ['vanilla.jsonl', 'results_rag.jsonl', 'cases.csv'])
      renameSync(join(folder, name), join(folder, 'data', name));
    const gone = await run('report', 'pilot', '--out', 'out', ...QUICK);
    expect(gone.stderr).toContain('"results_rag.jsonl", of which the review was made, is not in');
    expect(gone.stderr).toContain('--predictions rag=FILE');

    const files = '--cases data/cases.csv --predictions data/results_rag.jsonl --predictions plain=data/vanilla.jsonl';
    const named = await run('report', 'pilot', '--out', 'out', ...files.split(' '), ...QUICK);
    expect(named.code).toBe(0);
    // Only of the file that is not what reviewers saw.
    expect(named.stderr).toBe(
      'Note: data/vanilla.jsonl is not the file that the review was made of: the answers of reviewers may be about other words.\n',
    );
  });

  it('refuses a system that the review does not have, and a recipe of another task', async () => {
    const { run } = consultations();
    ok(await run(CREATE));
    const other = await run('report', 'pilot', '--out', 'out', '--predictions', 'plan=vanilla.jsonl');
    expect(other.stderr).toContain('no answers of a system "plan"');
    expect(other.stderr).toContain('--predictions plain=FILE');
    const task = await run('report', 'pilot', '--out', 'out', '--recipe', 'pii/strict');
    expect(task.stderr).toContain('pii/strict is for spans');
    expect((await run('report', 'pilto', '--out', 'out')).stderr).toContain('did you mean "pilot"?');
  });

  it('counts the answers themselves where no recipe scores them', async () => {
    const { folder, run } = consultations();
    const docs = example('pii/docs.json');
    ok(await run(`create letters --recipe pii/review --cases ${docs} --reviewer Ann --reviewer Ben`));
    ok(await run('export', 'letters', '--out', 's'));
    for (const name of ['Ann', 'Ben']) {
      const path = join(folder, 's', name, CLAIMS);
      fill(path, () => ({ label: 'right' }));
      ok(await run('import', 'letters', path));
    }
    const text = ok(await run('report', 'letters', '--out', 'out'));
    expect(text).toContain('Review summary: letters');
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(FILES);
    const json = JSON.parse(read(folder, 'out/evaluation.json')) as {
      questions: { rows: { name: string; count: number; n: number; value: number }[] }[];
    };
    const [right, ...others] = json.questions[0]!.rows;
    expect(right).toMatchObject({ name: 'right', value: 1 });
    expect(right!.count).toBe(right!.n);
    expect(others.every(({ count }) => count === 0)).toBe(true);
    expect(read(folder, 'out/evaluation_summary_report.md')).toContain(
      'no interval: every resample gave the same value',
    );
    expect((await run('report', 'letters', '--out', 'out', '--recipe', 'pii/strict')).stderr).toContain(
      '--recipe is for reviews of consultations',
    );
  });
});
