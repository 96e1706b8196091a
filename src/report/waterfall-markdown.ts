import type { Waterfall, WaterfallStep } from '../compare/waterfall/waterfall.ts';
import { columnDigits, count, shownChange } from '../text/figures.ts';
import { markdownTable, markdownText } from './markdown-text.ts';
import { casesOfWaterfall, creditNotes } from './waterfall-notes.ts';
import { keptSentence, shownValue, stepName, valuesOf } from './waterfall-values.ts';

const COUNTS = ['step', 'setting', 'TP', 'FP', 'FN', 'excused', 'P', 'R', 'F1', 'change'] as const;

/** The waterfall as Markdown: a table for each kind of item, one for the measure, one with each rule taken away. */
export function waterfallMarkdown(waterfall: Waterfall, measure: string = waterfall.shown): string {
  const { recipe, steps, without } = waterfall;
  const whole = steps.at(-1)!;
  const sections = [
    `# ${markdownText(recipe)}: from strict matching to the score`,
    markdownText(`${casesOfWaterfall(waterfall)}. ${keptSentence(waterfall)}`.trim()),
    ...steps[0]!.kinds.flatMap(({ kind }, at) => [`## ${kind}`, countTable(steps, at, null)]),
    ...creditNotes(waterfall).map(markdownText),
    `## ${markdownText(measure)}`,
    measureTable(steps, measure, null),
    ...(without.length === 0
      ? []
      : [
          '## Each rule alone taken away from the whole recipe',
          ...whole.kinds.flatMap(({ kind }, at) => [`### ${kind}`, countTable(without, at, whole)]),
          `### ${markdownText(measure)}`,
          measureTable(without, measure, whole),
        ]),
    'Changes are between the numbers as they are shown, so that they add up. – stands where there is no value.',
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Against the row before, or all against one. */
function countTable(steps: readonly WaterfallStep[], kind: number, against: WaterfallStep | null): string {
  const all = against === null ? steps : [against, ...steps];
  const own = all.map(({ kinds }) => kinds[kind]!);
  const digits = columnDigits(own.flatMap(({ precision, recall, f1 }) => [precision, recall, f1]));
  const rows = all.map((step, at) => {
    const { hit, spurious, missed, excused, precision, recall, f1 } = own[at]!;
    const before = own[against === null ? at - 1 : 0]?.f1 ?? null;
    return [
      nameOf(step, at, against),
      at === 0 && against !== null ? '' : step.setting,
      ...[hit, spurious, missed, excused].map(count),
      ...[precision, recall, f1].map((value) => shownValue(value, digits)),
      at === 0 ? '' : shownChange(before, f1, digits),
    ];
  });
  return markdownTable(
    [...COUNTS],
    COUNTS.map((_, at) => (at < 2 ? 'left' : 'right')),
    rows,
  );
}

function measureTable(steps: readonly WaterfallStep[], measure: string, against: WaterfallStep | null): string {
  const all = against === null ? steps : [against, ...steps];
  const values = valuesOf(all, measure);
  const digits = columnDigits(values);
  const rows = all.map((step, at) => [
    nameOf(step, at, against),
    shownValue(values[at]!, digits),
    at === 0 ? '' : shownChange(values[against === null ? at - 1 : 0] ?? null, values[at]!, digits),
  ]);
  return markdownTable(['step', 'value', 'change'], ['left', 'right', 'right'], rows);
}

function nameOf(step: WaterfallStep, at: number, against: WaterfallStep | null): string {
  if (against === null) return stepName(step);
  return at === 0 ? 'whole recipe' : `less ${step.path}`;
}
