import type { MeasureValue } from '../measure/results.ts';
import type { AgreementFigure } from '../review/api.ts';
import { count, counted, figure, percent } from '../text/figures.ts';
import { nameList } from './comparison-words.ts';
import { type Block, termList } from './document.ts';
import { labelBlocks, measureTable, RULE_AGREEMENT } from './evaluation-measures.ts';
import { coefficientSentence, NOBODY } from './evaluation-people.ts';
import { type EvaluationContext, intervalText, valueSentence } from './evaluation-values.ts';

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
  const have = `${count(settled)} of ${counted(cases, 'case')} ${settled === 1 ? 'has' : 'have'} one`;
  const own = figureOf(agreement, facts.classQuestion);
  const over = systems.map((system) => `${system.system} ${count(valueOf(system, 'accuracy')?.n ?? 0)}`).join(', ');
  return [
    {
      text:
        truth === 'experts'
          ? `The class of a case is what most of its experts chose, or what an adjudicator decided (question ${facts.classQuestion}). ${have}.`
          : `The class of a case is the one that the case file gives; experts were not asked for it${facts.truth === 'auto' ? ' (once they are, their majority counts)' : ''}. ${have}.`,
    },
    ...(truth === 'experts' ? [{ text: own === null ? NOBODY : coefficientSentence(own, 'cases') }] : []),
    ...(facts.leftOut.length === 0
      ? []
      : [
          {
            text: `A class of ${nameList(facts.leftOut, facts.leftOut.length)} leaves the denominator. Answers that accuracy is over: ${over}.`,
          },
        ]),
    {
      lead: 'Cases that are left out of accuracy',
      columns: [
        { title: 'case', shrinks: true },
        { title: 'why', wraps: true },
      ],
      rows: withoutClass.map(({ caseId, because }) => [caseId, because]),
      shown: CASES_SHOWN,
    },
  ];
}

function figureOf(agreement: readonly AgreementFigure[], question: string): AgreementFigure | null {
  return agreement.find(({ field, part }) => field === question && part === null) ?? null;
}

/** The rate, and how reliable the labels behind it are. */
export function hallucinationBlocks({ systems, facts, agreement, valueOf, hasMeasure }: EvaluationContext): Block[] {
  if (!hasMeasure('hallucination_rate') || !facts.asks(facts.claimsQuestion)) return [];
  const own = figureOf(agreement, facts.claimsQuestion);
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
  if (!hasMeasure(RULE_AGREEMENT) || !facts.asks(facts.ticksQuestion)) return [];
  const values = systems.map((system) => valueOf(system, RULE_AGREEMENT));
  return [
    {
      text: 'An expert’s tick overrides the rule that looks for words. This is how often the rule gives the same result, over the components that experts answered.',
    },
    {
      ...measureTable(context, 'measure', [{ title: RULE_AGREEMENT, values }]),
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
      share?.value == null ? '' : `; of single answers, ${figure(share.value, share)}${intervalText(share)} keep to it`;
    return [
      system.system,
      `mean grade ${figure(grade.value, grade)}${intervalText(grade)}, n ${count(grade.n)}: ${besideTarget(grade.value, grade)}${onTarget}.`,
    ];
  });
  const others = facts.languages.slice(1);
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
