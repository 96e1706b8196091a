import { plural } from '../../../src/text/figures.ts';
import type { AgreementFigure } from '../../../src/review/api.ts';

/** Two decimals, and a true minus. */
export function figureNumber(value: number): string {
  const shown = Math.abs(value).toFixed(2);
  return value < 0 && shown !== '0.00' ? `−${shown}` : shown;
}

/** A figure with a target that has no verdict is inconclusive; one without a target is not asked. */
export function targetWords(
  figure: Pick<AgreementFigure, 'target' | 'met'>,
): 'met' | 'not met' | 'inconclusive' | null {
  if (figure.target === null) return null;
  if (figure.met === null) return 'inconclusive';
  return figure.met ? 'met' : 'not met';
}

/** The figure in a sentence, for those who do not see the drawing. */
export function figureSentence(figure: AgreementFigure): string {
  const basis = `${figure.n} rated by ${plural(figure.raters, 'person', 'people')}`;
  const target = targetWords(figure);
  const aim = figure.target === null || target === null ? '' : `; target ${figureNumber(figure.target)}: ${target}`;
  if (figure.value === null)
    return `${figure.coefficient} undefined: ${figure.undefined ?? 'no reason given'}, ${basis}${aim}`;
  return `${figure.coefficient} ${figureNumber(figure.value)}, ${intervalWords(figure)}, ${basis}${aim}`;
}

export function intervalWords(figure: Pick<AgreementFigure, 'interval' | 'noInterval'>): string {
  if (figure.interval === null) return `no interval: ${figure.noInterval ?? 'no reason given'}`;
  const { low, high, level } = figure.interval;
  return `${Math.round(level * 100)}% interval ${figureNumber(low)} to ${figureNumber(high)}`;
}

/** Each point with how many were rated by then, and its interval where it has one. */
export function growthWords(growth: AgreementFigure['growth']): string {
  if (growth.length === 0) return 'nothing yet';
  return growth
    .map(({ n, value, low, high }) => {
      const reach = low === null || high === null ? '' : ` (${figureNumber(low)} to ${figureNumber(high)})`;
      return `${figureNumber(value)}${reach} after ${n}`;
    })
    .join('; ');
}
