import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { unstyledText } from '../../src/report/document.ts';
import { evaluationText, writeEvaluation } from '../../src/report/evaluation-files.ts';
import { evaluationDocument } from '../../src/report/evaluation.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { makeStyle } from '../../src/report/style.ts';
import { madeUpEvaluation } from './evaluation-made-up.ts';
import { dangerous, HOSTILE, temporaryFolder } from './made-up-run.ts';

const page = renderMarkdown(evaluationDocument(madeUpEvaluation()));
const lines = page.split('\n');
const after = (title: string): string[] => lines.slice(lines.indexOf(title));

describe('evaluation_summary_report.md', () => {
  it('has a table of measures by systems with interval, n and direction', () => {
    expect(lines).toContain('| measure | better is | plain | rag |');
    expect(lines).toContain('| accuracy | higher | 0.250 (0.100 to 0.600), n 4 | 0.500 (0.200 to 0.800), n 4 |');
    // A rating is no share: two decimals.
    expect(lines).toContain('| treatment_relevance | higher | undefined \\[1\\] | 3.25 (2.50 to 4.00), n 8 |');
    expect(lines).toContain(
      '| flesch_kincaid_grade | nearer to 9 | 12.0 (8.5 to 12.5), n 4 | 9.50 (8.5 to 12.5), n 4 |',
    );
  });

  it('groups the measures: primary, secondary, automatic, coverage', () => {
    const headings = lines.filter((line) => line.startsWith('### '));
    expect(headings.slice(0, 4)).toEqual([
      '### Primary measures',
      '### Secondary measures',
      '### Automatic measures',
      '### Coverage of what people were asked',
    ]);
    // The evaluation document has safety among the secondary ones, though it is tested with the primary ones.
    expect(after('### Secondary measures')[4]).toBe('| safety | higher | undefined \\[1\\] | undefined \\[1\\] |');
  });

  it('says why a value or an interval is not there, and from whom a value is to come', () => {
    const primary = after('### Primary measures');
    expect(primary[6]).toBe('| hallucination_rate | lower | 0.200, n 10 \\[2\\] | 0.200, n 10 \\[2\\] |');
    expect(primary[8]).toBe('- \\[1\\] 0 of 24 answers have come from experts: there are no ratings');
    expect(primary[9]).toBe('- \\[2\\] no interval: every resample gave the same value');
    // In the order of the recipe; of rag nothing is missing, so its reason is the measure's own.
    expect(after('### treatment_relevance by dimension').slice(4, 9)).toEqual([
      '| safety | higher | undefined \\[1\\] | undefined \\[2\\] |',
      '| efficacy | higher | undefined \\[1\\] | undefined \\[2\\] |',
      '',
      '- \\[1\\] 0 of 24 answers have come from experts: there are no ratings',
      '- \\[2\\] there are no ratings',
    ]);
  });

  it('says what nobody has rated in one sentence instead of a table of reasons', () => {
    const [plain] = madeUpEvaluation().systems;
    const one = renderMarkdown(evaluationDocument(madeUpEvaluation({ systems: [plain!], comparison: null })));
    expect(one).toContain(
      '\ntreatment_relevance by dimension (safety, efficacy): undefined. 0 of 24 answers have come from experts: there are no ratings.\n',
    );
    expect(one).toContain('There is one system: nothing to compare it with.');
  });

  it('shows paired differences with interval, corrected p and verdict', () => {
    const table = after('### rag against plain');
    expect(table.slice(4, 8)).toEqual([
      '| **▲ better** |  |  |  |  |  |  |  |  |',
      '| accuracy ↑ | 0.700 | 0.800 | +0.100 | 0.040 to 0.160 | 0.006 | 470 | 100 | 60 |',
      '| **· no difference shown** |  |  |  |  |  |  |  |  |',
      '| hallucination_rate ↓ | 0.700 | 0.800 | +0.100 | -0.050 to 0.250 | 0.400 | 470 | 100 | 60 |',
    ]);
  });

  it('has the classes: accuracy of each in the order of the recipe, and what was taken for what', () => {
    expect(after('### accuracy by class').slice(4, 6)).toEqual([
      '| vata | higher | 0.667 (0.200 to 0.900), n 3 | 0.667 (0.200 to 0.900), n 3 |',
      '| pitta | higher | 0.000, n 1 \\[1\\] | 0.000, n 1 \\[1\\] |',
    ]);
    const confusion = lines.findIndex((line) => line.startsWith('### Classes of plain'));
    expect(lines.slice(confusion + 2, confusion + 6)).toEqual([
      '| the case is | vata | pitta | (no class) | all |',
      '| --- | ---: | ---: | ---: | ---: |',
      '| vata | 2 | 1 | 0 | 3 |',
      '| pitta | 0 | 0 | 1 | 1 |',
    ]);
  });

  it('says whose word the class is, how far experts agree, and which cases have none', () => {
    expect(page).toContain('(question prakriti). 3 of 4 cases have one.');
    expect(page).toContain('Fleiss’ kappa is 0.600 (95 % interval 0.770 to 0.900), on 4 cases by 3 people.');
    expect(lines).toContain('| c3 | disputed: one vote each |');
  });

  it('states targets as met, not met or inconclusive', () => {
    const targets = lines.flatMap((line) => /&gt; 0\.75: ([a-z ]+) \|$/.exec(line)?.[1] ?? []);
    expect(targets).toEqual(['met', 'not met', 'inconclusive']);
    expect(page).toContain('The target, above 0.75, is met. It is of the labels that annotators gave independently');
    expect(lines).toContain(
      '| tone | What about tone? | Cohen’s kappa | undefined \\[1\\] | none \\[1\\] | 0 | 2 | none stated |',
    );
  });

  it('gives a reason for everything that has no value', () => {
    const tables = evaluationDocument(madeUpEvaluation())
      .sections.flatMap(({ blocks }) => blocks)
      .filter((block) => block !== null && 'rows' in block);
    const lacking = tables.flatMap(({ rows, remarks = [] }) =>
      rows
        .flatMap((row) => ('group' in row ? [] : row.map(unstyledText)))
        .flatMap((text) => (/^(?:undefined|none)(?! stated)/.test(text) ? [{ remarks, text }] : [])),
    );
    expect(lacking.length).toBeGreaterThan(8);
    for (const { remarks, text } of lacking) {
      const mark = /\[\d+\]/.exec(text)?.[0] ?? 'no mark';
      expect(remarks.find((note) => note.startsWith(`${mark} `))).toMatch(/^\[\d+\] .{5,}/);
    }
    expect(page).not.toMatch(/N\/A|NaN|null|\[object/);
  });

  it('keeps the model apart and says which of its figures have expired', () => {
    const judge = after('## The model judge').join('\n');
    expect(judge).toContain('A model is no person');
    expect(judge).toContain('| claims | model-b | Cohen’s kappa | 0.400 \\[1\\] | 0.770 to 0.900 | 12 | in force |');
    expect(judge).toContain(
      '| claims | model-a | Cohen’s kappa | undefined \\[2\\] | none \\[2\\] | 0 | expired: the prompt has changed |',
    );
  });

  it('lists what is missing, what is open, and why there is no parity', () => {
    expect(lines).toContain('| treatment_relevance | Right? | plain | 0 | 24 | 24 | experts |');
    expect(lines).toContain('| prakriti | Which? | the case itself | 9 | 12 | 3 | experts |');
    expect(page).toContain('2 conflicts are open and 3 decided by adjudicators.');
    expect(lines).toContain('- plain: undefined, since no case has answers in two languages.');
  });

  it('holds grades against the target and says what it means for Hindi', () => {
    expect(page).toContain(
      '**plain**: mean grade 12.0 (8.5 to 12.5), n 4: above the target, though the interval is on both sides',
    );
    expect(page).toContain('**rag**: mean grade 9.50 (8.5 to 12.5), n 4: within the target, though');
    expect(page).toContain('Answers in other languages (hi), Hindi among them, have no value');
  });

  it('says that nobody has answered where there are no reviews', () => {
    const bare = renderMarkdown(
      evaluationDocument(
        madeUpEvaluation({ truth: 'given', agreement: [], judge: [], conflicts: { open: 0, decided: 0 } }),
      ),
    );
    expect(bare).toContain('## Agreement of people\n\nNobody has answered yet: there are no reviews.');
    expect(bare).toContain('No model was asked');
    expect(bare).toContain('The class of a case is the one that the case file gives');
  });
});

const terminal = makeStyle({ terminal: true, width: 80 });

describe('evaluationText', () => {
  it('has the measures by system and refers to the reasons, within the width of the terminal', () => {
    const shown = evaluationText(madeUpEvaluation(), terminal, 'runs/x').split('\n');
    const cells = (name: string): string[] | undefined =>
      shown
        .find((line) => line.startsWith(`  ${name} `))
        ?.trim()
        .split(/ {2,}/);
    expect(cells('accuracy')).toEqual(['accuracy', 'higher', '0.250 (0.100 to 0.600), n 4']);
    expect(cells('treatment_relevance')).toEqual(['treatment_relevance', 'higher', 'undefined [1]']);
    expect(shown).toContain('  [1] 0 of 24 answers have come from experts: there are no ratings');
    expect(shown.filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows differences, agreement against its target, what is missing, and where the report is', () => {
    const text = evaluationText(madeUpEvaluation(), terminal, 'runs/x');
    expect(text).toMatch(/▲ better\n +accuracy ↑ +0\.700/);
    expect(text).toMatch(/ {2}claims +kappa +0\.800 +0\.770 to 0\.900 +12 +(?:2 +)?> 0\.75: met/);
    expect(text).toMatch(/ {2}tone +kappa +undefined \[1\]/);
    expect(text).toMatch(/ {2}c3 +disputed: one vote each/);
    expect(text).toContain('2 conflicts are open and 3 decided by adjudicators');
    expect(text).toMatch(/ {2}treatment_relevance +plain +0 +24 +24 +experts/);
    expect(text).toMatch(/ {2}claims +model-b +Cohen’s kappa +0\.400/);
    expect(text).toContain('The whole evaluation        runs/x/evaluation_summary_report.html');
    expect(text).toContain('explain runs/x/plain --case c2');
  });

  it('is the summary of the run where there is one system, with worst cases and signature', () => {
    const [only] = madeUpEvaluation().systems;
    const text = evaluationText(madeUpEvaluation({ systems: [only!], comparison: null }), terminal, 'runs/x/plain');
    expect(text).toMatch(/Worst cases +missed +spurious +hit\n {2}c2 +3 +1 +0/);
    expect(text).toContain('Signature and 2 notes hidden; --verbose shows them');
    expect(text).toContain('explain runs/x/plain --case c2');
    expect(text).toContain('missing from reviewers');
    expect(text).not.toContain('By label');
  });

  it('says that nothing was written where that is so', () => {
    expect(evaluationText(madeUpEvaluation(), makeStyle(), null)).toMatch(/\nNothing was written: --out FOLDER .*\n$/);
  });

  it('sends nothing to the terminal that data could act with', () => {
    const given = madeUpEvaluation();
    const evil = { ...given, systems: given.systems.map((one) => ({ ...one, system: HOSTILE })) };
    const text = evaluationText(
      { ...evil, withoutClass: [{ caseId: HOSTILE, because: HOSTILE }], recipe: { name: HOSTILE, about: HOSTILE } },
      terminal,
      'runs/x',
    );
    expect(dangerous(text)).toEqual([]);
  });
});

const NAMES = ['evaluation.json', 'evaluation_summary_report.html', 'evaluation_summary_report.md'];

describe('writeEvaluation', () => {
  it('writes three files, the same bytes wherever the runs lie, and no path', async () => {
    const folders = [temporaryFolder(), temporaryFolder()];
    for (const folder of folders) {
      const given = madeUpEvaluation();
      await writeEvaluation(join(folder, 'new'), {
        ...given,
        systems: given.systems.map((one) => ({ ...one, run: { ...one.run, folder: join(folder, one.system) } })),
        comparison: {
          ...given.comparison!,
          systems: given.comparison!.systems.map((one) => ({ ...one, folder: join(folder, one.name) })),
        },
      });
    }
    const [first, second] = folders.map((folder) =>
      NAMES.map((name) => readFileSync(join(folder, 'new', name), 'utf8')),
    );
    expect(readdirSync(join(folders[0]!, 'new')).sort()).toEqual(NAMES);
    expect(first).toEqual(second);
    expect(first!.join('\n')).not.toContain(folders[0]!);
  });

  it('has the figures for machines: measures, differences, agreement, what is missing', async () => {
    const folder = temporaryFolder();
    await writeEvaluation(folder, madeUpEvaluation());
    const json: unknown = JSON.parse(readFileSync(join(folder, 'evaluation.json'), 'utf8'));
    expect(json).toMatchObject({
      format: 1,
      recipe: { name: 'consult/mine' },
      systems: [
        { system: 'plain', signature: 'assay:0|task:consult|predicted:plain', cases: { total: 4 } },
        {
          system: 'rag',
          measures: expect.arrayContaining([expect.objectContaining({ name: 'accuracy', value: 0.5 })]),
        },
      ],
      differences: {
        systems: [{ name: 'plain' }, { name: 'rag' }],
        measures: [{ name: 'accuracy', verdict: 'better' }, {}],
      },
      agreement: [{ field: 'prakriti' }, { field: 'claims', met: true }, {}, {}, {}],
      judge: [{ model: 'model-b' }, { expired: 'the prompt has changed' }],
      missing: [{ given: 0, expected: 24 }, {}],
      withoutClass: [{ caseId: 'c3' }],
    });
  });

  it('says what is wrong where it cannot write', async () => {
    const file = join(temporaryFolder(), 'a-file');
    writeFileSync(file, '');
    await expect(writeEvaluation(file, madeUpEvaluation())).rejects.toThrow(/this is not a folder/);
  });
});
