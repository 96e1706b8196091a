import type { Check } from '../compare/gate/check.ts';
import { signedFigure } from './comparison-figures.ts';
import { count, figure } from '../text/figures.ts';

const MOST_DIGITS = 12;

/**
 * A value beside the limit it is judged by: with as many decimals as it takes to be on the same side of it.
 *
 * @example figureBeside(0.79996, 0.8) // '0.79996'
 * @example figureBeside(0.776, 0.8) // '0.776'
 */
export function figureBeside(value: number, limit: number): string {
  const usual = figure(value);
  if (isTelling(Number(usual), value, limit)) return usual;
  for (let digits = 4; digits <= MOST_DIGITS; digits += 1)
    if (isTelling(Number(value.toFixed(digits)), value, limit)) return value.toFixed(digits);
  return String(value);
}

/** The same for a share, in per cent. */
export function percentBeside(value: number, limit: number): string {
  for (let digits = 2; digits <= MOST_DIGITS; digits += 1) {
    const shown = Number((100 * value).toPrecision(digits));
    if (isTelling(shown / 100, value, limit) && (shown < 100 || value === 1)) return `${shown} %`;
  }
  return `${100 * value} %`;
}

function isTelling(shown: number, value: number, limit: number): boolean {
  return Math.sign(shown - limit) === Math.sign(value - limit) || Math.abs(value - limit) < 1e-9;
}

/** The same for a difference, which has a sign, beside a margin on either side. */
function signedBeside(value: number, margin: number): string {
  const usual = signedFigure(value);
  const sides = [margin, -margin];
  if (sides.every((side) => isTelling(Number(usual), value, side))) return usual;
  const sign = value < 0 ? '-' : '+';
  return `${sign}${figureBeside(Math.abs(value), margin)}`;
}

/** A share as a rule has it: 0.01 as 1 %. */
export function limitPercent(limit: number): string {
  return `${Number((100 * limit).toPrecision(MOST_DIGITS))} %`;
}

/** What was found: a value, a difference with its sign, or a share in per cent. */
export function foundText({ rule, found, counts }: Check): string {
  const { value } = found;
  if (value === null) return '–';
  if (rule.kind === 'share') return percentBeside(value, rule.limit);
  if (rule.kind === 'margin')
    return counts ? `${value > 0 ? '+' : ''}${count(value)}` : signedBeside(value, rule.margin);
  return counts ? count(value) : figureBeside(value, rule.limit);
}

/** The interval's ends; empty where there is none. */
export function endsText({ rule, found: { interval } }: Check): string {
  if (interval === null) return '';
  const end = (value: number): string => {
    if (rule.kind === 'margin') return signedBeside(value, rule.margin).replace('+', '');
    return rule.kind === 'floor' ? figureBeside(value, rule.limit) : figure(value);
  };
  return `${end(interval.low)} to ${end(interval.high)}`;
}
