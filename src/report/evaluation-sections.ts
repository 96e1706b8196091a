import type { SystemRun } from '../compare/compare-systems.ts';
import type { Comparison } from '../compare/comparison.ts';
import type { ParityRow } from '../formats/case-format.ts';
import { PARITY } from '../formats/consult/bilingual.ts';
import type { MeasureValue } from '../measure/results.ts';
import type { AgreementFigure } from '../review/api.ts';
import type { Evaluation } from '../review/evaluation.ts';
import { count, plural, figure, levelText, percent, pText, signedFigure } from '../text/figures.ts';
import { comparisonNotices, generalSentences, rowSentences } from './comparison-sentences.ts';
import { differenceInterval, rankingTable, verdictTable } from './comparison-tables.ts';
import { isUnsliced, nameList, systemName, valuePair } from './comparison-words.ts';
import { type Block, numberColumns, present, termList } from './document.ts';
import { labelBlocks, systemsTable, RULE_AGREEMENT } from './evaluation-measures.ts';
import { coefficientSentence, NOBODY } from './evaluation-people.ts';
import { type EvaluationContext, Footnotes, bracketedInterval, lacking, valueSentence } from './evaluation-values.ts';
import { poolingRemarks } from './pooling.ts';

/** The comparison with the systems named as everywhere else in the document, and without a path. */
export function namedComparison({ comparison, systems }: Evaluation): Comparison | null {
  if (comparison === null) return null;
  return {
    ...comparison,
    systems: comparison.systems.map((one, at) => ({ ...one, folder: '', name: systems[at]?.system ?? one.name })),
  };
}

/** Every system beside the first: difference, interval, test and verdict. */
export function differenceBlocks(context: EvaluationContext): Block[] {
  const comparison = namedComparison(context);
  if (comparison === null) {
    const why =
      context.systems.length < 2
        ? 'There is one system: nothing to compare it with.'
        : 'The systems were not compared, since no runs were kept: score with --out FOLDER.';
    return [{ text: why, on: 'page' }];
  }
  const baseline = systemName(comparison, 0);
  const pairs = comparison.systems.slice(1).flatMap(({ name }, at): Block[] => {
    const rows = comparison.measures.filter((row) => row.system === at + 1 && isUnsliced(row));
    return [
      {
        ...verdictTable(comparison, at + 1, rows),
        lead: `${name} against ${baseline}`,
        remarks: poolingRemarks(rows),
      },
      { list: rowSentences(comparison, rows), bullets: true },
    ];
  });
  return [
    {
      text: `Each system against ${baseline}, over ${plural(comparison.paired, 'case')} that all have: difference = other − ${baseline}.`,
    },
    { list: comparisonNotices(comparison), bullets: true },
    ...pairs,
    { list: generalSentences(comparison), bullets: true },
    { ...rankingTable(comparison), lead: 'Places', on: 'page' },
  ];
}

/** The same cases answered in two languages, by system. */
export function parityBlocks({ systems, hasMeasure }: EvaluationContext): Block[] {
  if (!hasMeasure(PARITY)) return [];
  const [bilingual, others] = [systems.filter(hasParity), systems.filter((one) => !hasParity(one))];
  const none = others.map(({ system }) => `${system}: undefined, since no case has answers in two languages.`);
  const tables = bilingual.map(parityBlock);
  return present([
    tables.length > 0 && {
      text: 'Difference = other language − default one, over the cases that were answered in both; 0 is parity. p is of a paired permutation test and is not corrected for the number of tests. Showing no difference does not prove parity.',
    },
    ...tables,
    { list: none },
  ]);
}

function hasParity({ parity }: SystemRun): boolean {
  return parity.length > 0;
}

function parityBlock({ system, parity }: SystemRun): Block {
  const notes = new Footnotes();
  const defined = parity.flatMap(({ difference, ...row }) =>
    difference?.difference == null ? [] : [{ ...row, difference }],
  );
  const level = defined.find(({ difference }) => difference.interval !== null)?.difference.interval?.level ?? null;
  const interval = level === null ? 'interval' : `${levelText(level)} interval`;
  const rows = defined.map(({ measure, language, usual, difference, pairs }) => {
    const { interval: between, noInterval, permutation } = difference;
    return [
      measure,
      `${language} − ${usual}`,
      ...valuePair(difference),
      signedFigure(difference.difference),
      between === null
        ? lacking('none', `no interval: ${noInterval ?? 'no reason was given'}`, notes)
        : differenceInterval(difference),
      permutation.pValue === null
        ? lacking('none', `no test: ${permutation.undefined ?? 'no reason was given'}`, notes)
        : pText(permutation.pValue, 0.05),
      count(pairs),
    ];
  });
  const undefinedRows = parity.filter(({ difference }) => difference?.difference == null).map(whyNoParity);
  const lead = `${system}: parity of languages`;
  if (rows.length === 0) return { lead, list: undefinedRows };
  return {
    lead,
    columns: [
      { title: 'measure' },
      { title: 'languages' },
      ...numberColumns('default', 'other', 'difference', interval, 'p', 'cases in both'),
    ],
    rows,
    remarks: [...notes.list(), ...undefinedRows],
  };
}

function whyNoParity({ measure, language, usual, difference }: ParityRow): string {
  const why = (difference?.undefined ?? 'no case has a value in both')
    .replace('undefined for the baseline', `undefined in ${usual}`)
    .replace('undefined for the other', `undefined in ${language}`);
  return `${measure} (${language} − ${usual}): undefined, ${why}`;
}

/** Cases without a class on a terminal. */
const CASES_SHOWN = 5;

/** Who decides the class of a case, how far experts agree on it, and which cases have none. */
export function truthBlocks({
  truth,
  withoutClass,
  systems,
  cases,
  facts,
  valueOf,
  agreement,
}: EvaluationContext): Block[] {
  if (truth === null) return [];
  const settled = cases - withoutClass.length;
  const have = `${count(settled)} of ${plural(cases, 'case')} ${settled === 1 ? 'has' : 'have'} one`;
  const own = figureOf(agreement, facts.consult.question);
  const over = systems.map((system) => `${system.system} ${count(valueOf(system, 'accuracy')?.n ?? 0)}`).join(', ');
  return present([
    {
      text:
        truth === 'experts'
          ? `The class of a case is what most of its experts chose, or what an adjudicator decided (question ${facts.consult.question}). ${have}.`
          : `The class of a case is the one that the case file gives; experts were not asked for it${facts.consult.truth === 'auto' ? ' (once they are, their majority counts)' : ''}. ${have}.`,
    },
    truth === 'experts' && { text: own === null ? NOBODY : coefficientSentence(own, 'cases') },
    facts.leftOut.length > 0 && {
      text: `A class of ${nameList(facts.leftOut, facts.leftOut.length)} leaves the denominator. Answers that accuracy is over: ${over}.`,
    },
    {
      lead: 'Cases that are left out of accuracy',
      columns: [
        { title: 'case', shrinks: true },
        { title: 'why', wraps: true },
      ],
      rows: withoutClass.map(({ caseId, because }) => [caseId, because]),
      shown: CASES_SHOWN,
    },
  ]);
}

function figureOf(agreement: readonly AgreementFigure[], question: string): AgreementFigure | null {
  return agreement.find(({ field, part }) => field === question && part === null) ?? null;
}

/** The rate, and how reliable the labels behind it are. */
export function hallucinationBlocks({ systems, facts, agreement, valueOf, hasMeasure }: EvaluationContext): Block[] {
  if (!hasMeasure('hallucination_rate') || !facts.asks(facts.consult.claims)) return [];
  const own = figureOf(agreement, facts.consult.claims);
  return [
    termList(
      systems.map((system) => [
        system.system,
        `${valueSentence(valueOf(system, 'hallucination_rate'), ' of N claims')}${openClaims((name) => valueOf(system, name))}`,
      ]),
    ),
    {
      text:
        own === null
          ? 'How far annotators agree on the claims is undefined: nobody has labelled any yet.'
          : `${coefficientSentence(own, 'claims')} It is of the labels that annotators gave independently of each other.`,
    },
  ];
}

/** How far the rate can still move once the adjudicator has decided on every open claim; empty if none is open. */
function openClaims(valueOf: (name: string) => MeasureValue | null): string {
  const coverage = valueOf('claim_coverage');
  if (coverage?.value == null || coverage.value === 1) return '';
  const shown = (name: string): string => {
    const value = valueOf(name);
    return value?.value == null ? 'undefined' : figure(value.value, value);
  };
  return ` Not yet adjudicated: ${percent(1 - coverage.value, 1)} of the claims wait for a second annotator or for the adjudicator, and count by the share of their votes. The rate is ${shown('hallucination_rate_low')} if none of them is hallucinated and ${shown('hallucination_rate_high')} if all are; of the settled claims alone it is ${shown('hallucination_rate_settled')}.`;
}

/** Components that an expert ticked, beside the result of the rule. */
export function ruleBlocks(context: EvaluationContext): Block[] {
  const { systems, facts, valueOf, hasMeasure } = context;
  if (!hasMeasure(RULE_AGREEMENT) || !facts.asks(facts.consult.ticks)) return [];
  const values = systems.map((system) => valueOf(system, RULE_AGREEMENT));
  return [
    {
      text: 'An expert’s tick overrides the rule that looks for words. This is how often the rule gives the same result, over the components that experts answered.',
    },
    {
      ...systemsTable(context, 'measure', [{ title: RULE_AGREEMENT, values }]),
      lead: 'How often rule and expert agree',
    },
    ...labelBlocks(context, 'component', (name) => name === RULE_AGREEMENT),
  ];
}

const TARGET = [8, 10] as const;

/** Grade by grade against the target, and what holds for answers that are not in English. */
export function readabilityBlocks({ systems, facts, valueOf, hasMeasure }: EvaluationContext): Block[] {
  if (!hasMeasure('flesch_kincaid_grade')) return [];
  const grades = systems.map((system): [string, string] => {
    const grade = valueOf(system, 'flesch_kincaid_grade');
    if (grade?.value == null) return [system.system, valueSentence(grade, '')];
    const share = valueOf(system, 'grade_on_target');
    const onTarget =
      share?.value == null
        ? ''
        : `; of single answers, ${figure(share.value, share)}${bracketedInterval(share)} keep to it`;
    return [
      system.system,
      `mean grade ${figure(grade.value, grade)}${bracketedInterval(grade)}, n ${count(grade.n)}: ${besideTarget(grade.value, grade)}${onTarget}.`,
    ];
  });
  const others = facts.consult.languages.slice(1);
  return [
    { text: `The target is a Flesch-Kincaid grade of ${TARGET.join(' to ')}: the 8th to 10th year of school.` },
    termList(grades),
    {
      text: `Both Flesch formulas were made for English and count its syllables. Answers in other languages${others.length === 0 ? '' : ` (${nameList(others)})`}, Hindi among them, have no value and are in no mean; for them there is words_per_sentence, which shows how long sentences are but not how hard the words are, and has no target.`,
    },
  ];
}

function besideTarget(value: number, { interval }: MeasureValue): string {
  const [least, most] = TARGET;
  const place = value < least ? 'below the target' : value > most ? 'above the target' : 'within the target';
  if (interval === null) return place;
  const { low, high } = interval;
  const isClear = high < least || low > most || (low >= least && high <= most);
  return isClear ? place : `${place}, though the interval is on both sides of an end of it`;
}
