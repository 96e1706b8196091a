import type { Evaluation } from '../review/evaluation.ts';
import type { Audit } from '../audit/finding.ts';
import { listed } from './comparison-words.ts';
import { classBlocks } from './evaluation-classes.ts';
import { differenceBlocks, parityBlocks } from './evaluation-differences.ts';
import { columnBlocks, labelBlocks, measureAbouts, measureBlocks, RULE_AGREEMENT } from './evaluation-measures.ts';
import {
  bullets,
  left,
  type Page,
  type PageBlock,
  type PageItem,
  type PageSection,
  paragraph,
  right,
  table,
} from './evaluation-page.ts';
import { agreementBlocks, conflictBlocks, judgeBlocks, missingBlocks } from './evaluation-people.ts';
import { type EvaluationRecipe, evaluationRecipe } from './evaluation-recipe.ts';
import { hallucinationBlocks, readabilityBlocks, ruleBlocks, truthBlocks } from './evaluation-truth.ts';
import { valuesOf } from './evaluation-values.ts';
import { count, counted } from '../text/figures.ts';
import { findingNotices } from './audit.ts';
import { noticesOf } from './notices.ts';
import { recipeFacts } from './recipe-facts.ts';

/** By system; of one that is not in it nothing is known. */
type Audits = ReadonlyMap<string, Audit>;

/** All that the summary of an evaluation says, in the order in which it says it. It holds no time and no path. */
export function evaluationPage(evaluation: Evaluation, audits: Audits = new Map()): Page {
  const { systems, agreement } = evaluation;
  const recipe = evaluationRecipe(evaluation);
  const valueOf = valuesOf(evaluation, recipe);
  const asked = isAnswered(agreement);
  const ofPeople = (blocks: readonly PageBlock[]): readonly PageBlock[] => (recipe.hasForm || asked ? blocks : []);
  const sections: readonly (readonly [string, readonly PageBlock[]])[] = [
    ['Before you read the numbers', bullets(evaluationNotices(evaluation, recipe, audits))],
    ['Measures', measureBlocks(systems, recipe, valueOf)],
    ['Differences between systems', differenceBlocks(evaluation, valueOf)],
    ['Dimensions of the ratings', labelBlocks(systems, recipe, valueOf, 'dimension', () => true)],
    [
      'Components of the answers',
      labelBlocks(systems, recipe, valueOf, 'component', (name) => name !== RULE_AGREEMENT),
    ],
    ['Rules against experts', ruleBlocks(evaluation, recipe, valueOf)],
    ['Ground truth', truthBlocks(evaluation, recipe, valueOf)],
    ['Classes', classBlocks(evaluation, recipe, valueOf)],
    ['Hallucination', hallucinationBlocks(evaluation, recipe, valueOf)],
    ['Agreement of people', ofPeople(agreementBlocks(agreement))],
    ['Readability', readabilityBlocks(evaluation, recipe, valueOf)],
    ['Languages', parityBlocks(evaluation, valueOf)],
    ['Slices', columnBlocks(systems, recipe, valueOf, evaluation.leftColumns)],
    ['What is still missing from reviewers', ofPeople(missingBlocks(evaluation.missing, asked))],
    ['Conflicts', ofPeople(conflictBlocks(evaluation.conflicts, asked))],
    ['The model judge', ofPeople(judgeBlocks(evaluation.judge))],
    ['Inputs', inputBlocks(evaluation)],
    ['Signatures', signatureBlocks(evaluation)],
    ['How to read this', howToRead(measureAbouts(systems, recipe))],
  ];
  return {
    title: `Evaluation summary: ${evaluation.recipe.name}`,
    lead: [
      ...(evaluation.recipe.about === '' ? [] : [`${evaluation.recipe.about}.`]),
      `${counted(evaluation.cases, 'case')}; ${counted(systems.length, 'system')}: ${listed(
        systems.map(({ system }) => system),
        systems.length,
      )}.`,
      ...changed(evaluation),
    ],
    sections: sections
      .filter(([, blocks]) => blocks.length > 0)
      .map(([title, blocks]): PageSection => ({ title, blocks })),
  };
}

/** What a reader must know first: of the runs, and of what people have not settled. */
function evaluationNotices(evaluation: Evaluation, { hasForm }: EvaluationRecipe, audits: Audits): string[] {
  const { conflicts, agreement } = evaluation;
  return [
    ...evaluation.notices,
    ...runNotices(evaluation, audits),
    ...(isAnswered(agreement) || !hasForm
      ? []
      : ['nobody has answered yet: what rests on people’s judgement is undefined']),
    ...(conflicts.open === 0
      ? []
      : [`${counted(conflicts.open, 'conflict is', 'conflicts are')} open: what rests on them is preliminary`]),
  ];
}

function isAnswered(agreement: Evaluation['agreement']): boolean {
  return agreement.some(({ raters }) => raters > 0);
}

/** The notices of every run, with its name where they are not of all. */
export function runNotices({ systems }: Evaluation, audits: Audits = new Map()): string[] {
  const byText = new Map<string, string[]>();
  for (const { system, run } of systems) {
    const audit = audits.get(system) ?? null;
    const found = audit === null ? [] : findingNotices(audit);
    for (const notice of [...found, ...noticesOf(run, recipeFacts(run), audit)])
      byText.set(notice, [...(byText.get(notice) ?? []), system]);
  }
  return [...byText].map(([notice, own]) =>
    own.length === systems.length ? notice : `${listed(own, own.length)}: ${notice}`,
  );
}

function changed({ systems }: Evaluation): string[] {
  const set = systems[0]?.run.manifest.recipe.set ?? [];
  return set.length === 0 ? [] : [`Changed with ${set.map((line) => `--set ${line}`).join(', ')}.`];
}

function inputBlocks({ systems }: Evaluation): PageBlock[] {
  const rows = systems.flatMap(({ system, run }) => run.manifest.inputs.map((input) => ({ system, input })));
  const seen = new Map(
    rows.map(({ system, input }) => [`${input.role} ${input.name} ${input.sha256}`, { system, input }]),
  );
  if (seen.size === 0) return [];
  return [
    table(
      'Files that were read',
      [left('file'), left('role'), left('system'), left('format'), right('records'), left('sha256')],
      [...seen.values()].map(({ system, input }) => [
        input.name,
        input.role,
        input.role === 'predictions' ? system : 'all',
        input.format,
        count(input.rows),
        input.sha256,
      ]),
    ),
  ];
}

function signatureBlocks({ systems }: Evaluation): PageBlock[] {
  return [
    paragraph(
      'They name everything that affects a number. Numbers whose signatures differ in more than the predictions are not comparable.',
    ),
    ...systems.map(({ system, run }): PageBlock => ({ kind: 'code', title: system, text: run.manifest.signature })),
  ];
}

function howToRead(abouts: readonly PageItem[]): PageBlock[] {
  const own = abouts.length === 0 ? [] : [paragraph('The measures, as the recipe describes them:'), ...bullets(abouts)];
  return [...bullets(HOW_TO_READ), ...own];
}

const HOW_TO_READ = [
  {
    term: 'value (low to high), n',
    text: 'what was measured, where it would lie if cases like these were drawn again, and over how many things it was computed',
  },
  { term: 'better is', text: 'higher, lower, or nearer to a value that lies between the ends' },
  { term: 'undefined', text: 'there is no value, which is not 0; the reason stands below the table' },
  {
    term: 'pictures',
    text: 'in the HTML page the line is the whole range of a measure, the dot the value, the bar its interval; a tick is the value to aim at, 0 for differences',
  },
  { term: 'p Holm', text: 'of the paired permutation test, after Holm’s correction over all tests of the comparison' },
  { term: 'better, worse', text: 'p Holm is below 1 − level and the interval of the difference leaves out 0' },
  { term: 'too little data, no difference shown', text: 'neither of them means that the systems are equal' },
  {
    term: 'every verdict',
    text: 'assay explain shows each with its reason; assay compare has all tests and effect sizes',
  },
] as const;
