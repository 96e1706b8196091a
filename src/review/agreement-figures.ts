import type { ReviewField } from '../recipe/review-section.ts';
import { againstTarget } from '../stats/agreement/against-target.ts';
import type { AgreementFigure } from './api.ts';
import { reviewedItems } from './review-work.ts';
import { partsOf } from './questions.ts';
import {
  agreementOfUnits,
  kappaFor,
  labelledUnits,
  type NamedCoefficient,
  ORDINAL_ALPHA,
  type RatedUnit,
  ratedUnits,
  type RatedUnits,
} from './rated-units.ts';
import type { ReviewSnapshot } from './snapshot.ts';

export interface FigureOptions {
  /** For a page that somebody waits for: fewer resamples, and fewer points of growth. */
  readonly quick?: boolean;
}

/** Of the points before the last: they show how the interval closes, and the last shows how sure the figure is. */
const GROWTH_RESAMPLES = 100;

/**
 * How far people agree on each question that somebody is asked, over the committed answers and before any decision: of a
 * choice or a tick Cohen's kappa of two people and Fleiss' of more, of a scale Krippendorff's alpha for ordered points, of
 * things the kappa of labels given to what all see at the same place. For a question with parts the whole comes first, all
 * ratings put together, then each part. n is the number of things rated: items, or parts or claims of items.
 */
export function agreementFigures(snapshot: ReviewSnapshot, { quick = false }: FigureOptions = {}): AgreementFigure[] {
  const whole: Effort = { resamples: quick ? 200 : 1000, points: quick ? 8 : 12 };
  const part: Effort = quick ? { ...whole, points: 5 } : whole;
  return Object.entries(snapshot.form.fields).flatMap(([name, field]) => {
    if (field.type === 'text' || !reviewedItems(snapshot).some((reviewed) => reviewed.asked(name).people > 0))
      return [];
    if (field.type === 'items') return [figure(name, null, field, labelledUnits(snapshot, name), whole)];
    const parts = partsOf(field);
    const all = ratedUnits(snapshot, name, parts);
    if (parts.length === 1) return [figure(name, parts[0]!, field, all, whole)];
    return [
      figure(name, null, field, all, whole),
      ...parts.map((own) => figure(name, own, field, ratedUnits(snapshot, name, [own]), part)),
    ];
  });
}

interface Effort {
  readonly resamples: number;
  /** How many points its growth has at most. */
  readonly points: number;
}

function figure(
  name: string,
  part: string | null,
  field: ReviewField,
  { units, raters, notes }: RatedUnits,
  effort: Effort,
): AgreementFigure {
  const coefficient = field.type === 'scale' ? ORDINAL_ALPHA : kappaFor(units, raters);
  const found = agreementOfUnits(units, coefficient, { resamples: effort.resamples });
  const { value, n, interval, noInterval } = found;
  const target = field.target ?? null;
  const result = target === null ? null : againstTarget({ value, interval, noInterval }, target);
  const last = value === null ? [] : [{ n, value, low: interval?.low ?? null, high: interval?.high ?? null }];
  return {
    field: name,
    part,
    title: titleOfPart(field, part),
    coefficient: coefficient.name,
    value,
    undefined: found.undefined,
    n,
    raters,
    interval,
    noInterval,
    target,
    met: result === null || result.result === 'inconclusive' ? null : result.result === 'met',
    growth: [...growthBefore(units, coefficient, effort), ...last],
    notes: [...notes, ...found.notes, ...(result === null ? [] : [`target above ${result.target}: ${result.why}`])],
  };
}

/** The figure with its interval over the first items in the order in which they were done, up to but not with all. */
function growthBefore(
  units: readonly RatedUnit[],
  coefficient: NamedCoefficient,
  { points: most }: Effort,
): AgreementFigure['growth'] {
  const points: AgreementFigure['growth'][number][] = [];
  let before = 0;
  for (let at = 1; at < most; at += 1) {
    const first = Math.ceil((at * units.length) / most);
    if (first <= before || first >= units.length) continue;
    before = first;
    const { value, n, interval } = agreementOfUnits(units.slice(0, first), coefficient, {
      resamples: GROWTH_RESAMPLES,
    });
    if (value !== null) points.push({ n, value, low: interval?.low ?? null, high: interval?.high ?? null });
  }
  return points;
}

function titleOfPart(field: ReviewField, part: string | null): string {
  const parts = field.type === 'checklist' ? field.items : field.type === 'scale' ? field.dimensions : {};
  return part !== null && Object.hasOwn(parts, part) ? parts[part]!.title : field.title;
}
