import type { Check } from '../compare/gate/check.ts';
import { count, figure, figureBeside, NONE, percentBeside, signedBeside } from '../text/figures.ts';

/** What was found: a value, a difference with its sign, or a share in per cent. */
export function foundText({ rule, found, counts }: Check): string {
  const { value } = found;
  if (value === null) return NONE;
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
