import type { Audit } from '../audit/finding.ts';
import type { Evaluation } from '../review/evaluation.ts';
import { plural } from '../text/figures.ts';
import { signatureSection, VERDICT_TERMS } from './comparison-tables.ts';
import { nameList } from './comparison-words.ts';
import { type Block, type Document, type Section, termList, present } from './document.ts';
import { differenceBlocks, parityBlocks } from './evaluation-sections.ts';
import {
  classBlocks,
  columnBlocks,
  labelBlocks,
  measureAbouts,
  measureBlocks,
  RULE_AGREEMENT,
} from './evaluation-measures.ts';
import { agreementSection, isAnswered, openSections } from './evaluation-people.ts';
import { hallucinationBlocks, readabilityBlocks, ruleBlocks, truthBlocks } from './evaluation-sections.ts';
import { type EvaluationContext, evaluationContext } from './evaluation-values.ts';
import { findingNotices } from './audit.ts';
import { noticesOf } from './notices.ts';
import { recipeFacts } from './recipe-facts.ts';
import { inputTable } from './run-tables.ts';

/** By system, as far as they are known. */
type Audits = ReadonlyMap<string, Audit>;

/** The summary of an evaluation. It holds no time and no path. */
export function evaluationDocument(evaluation: Evaluation, audits: Audits = new Map()): Document {
  const { name: called, recipe, systems, cases } = evaluation;
  const context = evaluationContext(evaluation);
  const onPage = (title: string, blocks: readonly Block[]): Section => ({ title, on: 'page', blocks });
  const [agreement, ...open] = reviewerSections(context);
  const names = systems.map(({ system }) => system);
  const changes = systems[0]?.run.manifest.recipe.set ?? [];
  return {
    title: `Evaluation summary: ${called === undefined ? recipe.name : `${called} (${recipe.name})`}`,
    about: present([
      recipe.about !== '' && `${recipe.about}.`,
      `${plural(cases, 'case')}; ${plural(systems.length, 'system')}: ${nameList(names, names.length)}.`,
      changes.length > 0 && `Changed with ${changes.map((line) => `--set ${line}`).join(', ')}.`,
    ]).join(' '),
    sections: present([
      noticeSection([...evaluation.notices, ...runNotices(evaluation, audits), ...openNotices(context)]),
      { title: 'Measures', blocks: measureBlocks(context) },
      { title: 'Differences between systems', blocks: differenceBlocks(context) },
      onPage(
        'Dimensions of the ratings',
        labelBlocks(context, 'dimension', () => true),
      ),
      onPage(
        'Components of the answers',
        labelBlocks(context, 'component', (name) => name !== RULE_AGREEMENT),
      ),
      onPage('Rules against experts', ruleBlocks(context)),
      { title: 'Ground truth', blocks: truthBlocks(context) },
      onPage('Classes', classBlocks(context)),
      onPage('Hallucination', hallucinationBlocks(context)),
      agreement !== undefined && agreement,
      onPage('Readability', readabilityBlocks(context)),
      onPage('Languages', parityBlocks(context)),
      onPage('Slices', columnBlocks(context)),
      ...open,
      onPage('Inputs', [inputTable(evaluation.systems)]),
      signatureSection(systems.map(({ system, run }) => ({ name: system, signature: run.manifest.signature }))),
      onPage('How to read this', howToRead(context)),
    ]),
  };
}

export function noticeSection(notices: readonly string[]): Section {
  return { title: 'Before you read the numbers', blocks: [{ list: notices, mark: 'warning' }] };
}

/** Of an evaluation without a form and without answers there are none. */
export function reviewerSections(context: EvaluationContext): Section[] {
  return context.facts.hasForm || isAnswered(context) ? [agreementSection(context), ...openSections(context)] : [];
}

/** What depends on answers that are not settled. */
export function openNotices({ conflicts, facts, ...context }: EvaluationContext): string[] {
  return present([
    !isAnswered({ conflicts, ...context }) &&
      facts.hasForm &&
      'nobody has answered yet: what depends on reviewers is undefined',
    conflicts.open !== 0 &&
      `${plural(conflicts.open, 'conflict is', 'conflicts are')} open: what depends on them is preliminary`,
  ]);
}

/** The notices of every run, with the names of the systems unless they are of all. */
export function runNotices({ systems }: Evaluation, audits: Audits = new Map()): string[] {
  const byText = new Map<string, string[]>();
  for (const { system, run } of systems) {
    const audit = audits.get(system) ?? null;
    const findings = audit === null ? [] : findingNotices(audit);
    for (const notice of [...findings, ...noticesOf(run, recipeFacts(run), audit)])
      byText.set(notice, [...(byText.get(notice) ?? []), system]);
  }
  return [...byText].map(([notice, own]) =>
    own.length === systems.length ? notice : `${nameList(own, own.length)}: ${notice}`,
  );
}

function howToRead(context: EvaluationContext): Block[] {
  const abouts = measureAbouts(context);
  return present([
    termList(HOW_TO_READ),
    abouts.length > 0 && { ...termList(abouts), lead: 'The measures, as the recipe describes them:' },
  ]);
}

const HOW_TO_READ = [
  [
    'value (low to high), n',
    'what was measured, where it would be if cases like these were drawn again, and over how many things it was computed',
  ],
  ['better is', 'higher, lower, or closer to a value between the ends'],
  ['undefined', 'there is no value, which is not 0; the reason is below the table'],
  [
    'bars',
    'in the HTML page the line is the whole range of a measure, the dot the value, the bar its interval; a tick is the value to aim at, 0 for differences',
  ],
  ...VERDICT_TERMS,
  ['every verdict', 'assay explain shows each with its reason; assay compare has all tests and effect sizes'],
] as const;
