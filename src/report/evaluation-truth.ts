import type { MeasureValue } from '../measure/results.ts';
import type { AgreementFigure } from '../review/api.ts';
import type { Evaluation } from '../review/evaluation.ts';
import { listed } from './comparison-words.ts';
import { RULE_AGREEMENT, labelBlocks, measureTable } from './evaluation-measures.ts';
import { bullets, left, type PageBlock, type PageItem, paragraph, table } from './evaluation-page.ts';
import { coefficientSentence, NOBODY } from './evaluation-people.ts';
import type { EvaluationRecipe } from './evaluation-recipe.ts';
import { betweenText, type ValueOf } from './evaluation-values.ts';
import { count, counted, figure, percent } from '../text/figures.ts';

/** Whose word is the class of a case, how far experts agree on it, and which cases have none. */
export function truthBlocks(evaluation: Evaluation, recipe: EvaluationRecipe, valueOf: ValueOf): PageBlock[] {
  const { withoutClass, systems, cases } = evaluation;
  if (evaluation.truth === null) return [];
  const own = figureOf(evaluation, recipe.classQuestion);
  const byExperts = evaluation.truth === 'experts';
  const settled = `${count(cases - withoutClass.length)} of ${counted(cases, 'case')} ${cases - withoutClass.length === 1 ? 'has' : 'have'} one`;
  return [
    paragraph(
      byExperts
        ? `The class of a case is what most of its experts say, or what an adjudicator decided (question ${recipe.classQuestion}). ${settled}.`
        : `The class of a case is the one that the case file gives; experts were not asked for it${recipe.truth === 'auto' ? ' (once they are, their majority counts)' : ''}. ${settled}.`,
    ),
    ...(byExperts ? [paragraph(own === null ? NOBODY : coefficientSentence(own, 'cases'))] : []),
    ...(recipe.leftOut.length === 0
      ? []
      : [
          paragraph(
            `A class of ${listed(recipe.leftOut, recipe.leftOut.length)} leaves the denominator. Answers that accuracy is over: ${systems
              .map((system) => `${system.system} ${count(valueOf(system, 'accuracy')?.n ?? 0)}`)
              .join(', ')}.`,
          ),
        ]),
    ...(withoutClass.length === 0
      ? []
      : [
          table(
            'Cases that are left out of accuracy',
            [left('case'), left('why')],
            withoutClass.map(({ caseId, because }) => [caseId, because]),
          ),
        ]),
  ];
}

function isMeasured(name: string, { systems }: Evaluation, valueOf: ValueOf): boolean {
  return systems.some((system) => valueOf(system, name) !== null);
}

function figureOf({ agreement }: Evaluation, question: string): AgreementFigure | null {
  return agreement.find(({ field, part }) => field === question && part === null) ?? null;
}

/** The rate, and whether the labels behind it can be relied on. */
export function hallucinationBlocks(evaluation: Evaluation, recipe: EvaluationRecipe, valueOf: ValueOf): PageBlock[] {
  if (!isMeasured('hallucination_rate', evaluation, valueOf) || !recipe.asks(recipe.claimsQuestion)) return [];
  const own = figureOf(evaluation, recipe.claimsQuestion);
  return [
    ...bullets(
      evaluation.systems.map((system) => ({
        term: system.system,
        text: `${valueSentence(valueOf(system, 'hallucination_rate'), 'claims')}${openClaims((name) => valueOf(system, name))}`,
      })),
    ),
    paragraph(
      own === null
        ? 'How far annotators agree on the claims is undefined: nobody has labelled any yet.'
        : `${coefficientSentence(own, 'claims')} It is of the labels as annotators gave them, each by themselves.`,
    ),
  ];
}

/** How far the rate can still move once the adjudicator has decided on every open claim; nothing where none is open. */
function openClaims(valueOf: (name: string) => MeasureValue | null): string {
  const coverage = valueOf('claim_coverage');
  if (coverage?.value == null || coverage.value === 1) return '';
  const shown = (name: string): string => {
    const value = valueOf(name);
    return value?.value == null ? 'undefined' : figure(value.value, value);
  };
  return ` Not yet adjudicated: ${percent(1 - coverage.value, 1)} of the claims wait for a second annotator or for the adjudicator, and count by the share of their votes. The rate is ${shown('hallucination_rate_low')} if none of them is hallucinated and ${shown('hallucination_rate_high')} if all are; of the settled claims alone it is ${shown('hallucination_rate_settled')}.`;
}

function valueSentence(value: MeasureValue | null, of: string): string {
  if (value === null) return 'the recipe does not measure it.';
  if (value.value === null) return `undefined: ${value.undefined ?? 'no reason was given'}.`;
  const why = value.interval === null ? `, no interval: ${value.noInterval ?? 'no reason was given'}` : '';
  return `${figure(value.value, value)}${betweenText(value)} of ${count(value.n)} ${of}${why}.`;
}

/** Components that an expert ticked, beside what the rule says. */
export function ruleBlocks(evaluation: Evaluation, recipe: EvaluationRecipe, valueOf: ValueOf): PageBlock[] {
  const { systems } = evaluation;
  const whole = systems.map((system) => valueOf(system, RULE_AGREEMENT));
  if (!isMeasured(RULE_AGREEMENT, evaluation, valueOf) || !recipe.asks(recipe.ticksQuestion)) return [];
  return [
    paragraph(
      'An expert’s tick stands above the rule that looks for words. This is how often the rule said the same, over the components on which experts said anything.',
    ),
    measureTable('How often rule and expert say the same', 'measure', systems, [
      { title: RULE_AGREEMENT, values: whole },
    ]),
    ...labelBlocks(systems, recipe, valueOf, 'component', (name) => name === RULE_AGREEMENT),
  ];
}

const TARGET = [8, 10] as const;

/** Grade by grade against the target, and what holds for answers that are not in English. */
export function readabilityBlocks(
  evaluation: Evaluation,
  { languages }: EvaluationRecipe,
  valueOf: ValueOf,
): PageBlock[] {
  const { systems } = evaluation;
  if (!isMeasured('flesch_kincaid_grade', evaluation, valueOf)) return [];
  const items = systems.map(({ system }, at): PageItem => {
    const grade = valueOf(systems[at]!, 'flesch_kincaid_grade');
    if (grade === null) return { term: system, text: 'the recipe does not measure it.' };
    if (grade.value === null) return { term: system, text: `undefined: ${grade.undefined ?? 'no reason was given'}.` };
    const share = valueOf(systems[at]!, 'grade_on_target');
    const onTarget =
      share?.value == null ? '' : `; of single answers, ${figure(share.value, share)}${betweenText(share)} keep to it`;
    return {
      term: system,
      text: `mean grade ${figure(grade.value, grade)}${betweenText(grade)}, n ${count(grade.n)}: ${againstGrades(grade)}${onTarget}.`,
    };
  });
  const others = languages.slice(1);
  return [
    paragraph(`The target is a Flesch-Kincaid grade of ${TARGET.join(' to ')}: the 8th to 10th year of school.`),
    ...bullets(items),
    paragraph(
      `Both Flesch formulas were made for English and count its syllables. Answers in other languages${others.length === 0 ? '' : ` (${listed(others)})`}, Hindi among them, have no value and are in no mean; for them words_per_sentence stands beside it, which says how long sentences are and nothing of how hard the words are, and has no target.`,
    ),
  ];
}

function againstGrades({ value, interval }: MeasureValue): string {
  const [least, most] = TARGET;
  const place =
    value === null ? '' : value < least ? 'below the target' : value > most ? 'above the target' : 'within the target';
  if (interval === null) return place;
  const [low, high] = [interval.low, interval.high];
  const isClear = high < least || low > most || (low >= least && high <= most);
  return isClear ? place : `${place}, though the interval lies on both sides of an end of it`;
}
