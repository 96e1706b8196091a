import type { AlonePerson } from '../../figures/run-figures.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Measure } from '../../measure/measure.ts';
import { Tally } from '../../measure/tally.ts';
import { sumsAt, totals, type UnitSums, unitsWith } from '../../measure/unit-sums.ts';
import { count, plural, figure } from '../../text/figures.ts';
import type { AuditMaterial, AuditCheck, NewFinding, OpenContext } from '../check.ts';
import { formatList } from '../evidence.ts';
import { annotatorUses, recordAt } from '../recipe-parts.ts';
import type { AuditCase } from '../audit-case.ts';
import { halfWidth, overallValue, primaryMeasures } from '../totals.ts';

/** With fewer cases each of them decides: too-few reports that. */
const FEWEST_UNITS = 5;
/** Smaller moves change no conclusion, however narrow the interval. */
const LEAST_MOVE = 0.02;
/** Without an interval: one case of n may move a mean by 1/n; twice that is more than its share. */
const TIMES_ITS_SHARE = 2;
/** Of two people, each makes half of the figure: that is what few annotators means, and no news. */
const FEWEST_PEOPLE = 3;
/** People are more or less strict: one of three who is half a point off on a scale of five moves a mean by a sixteenth of it. */
const NOTE_MOVE = 0.04;
/** A tenth of the range is more than strictness, and so is a tenth of F1 where people mark more or less. */
const WARNING_MOVE = 0.1;
/** Fewer cases, or a smaller part of those that several people annotated, say little of a person. */
const FEWEST_CASES = 5;
const LEAST_PART = 0.5;

export const singleCaseDependence: AuditCheck = {
  name: 'single-case-dependence',
  about: 'one case without which the first measure moves',
  severity: `Warning: from ${FEWEST_UNITS} cases on, by more than half of the interval and ${LEAST_MOVE} of the range`,
  find({ run, primary }) {
    const value = overallValue(run, primary?.measure.name);
    const n = primary?.sums.units.length ?? 0;
    if (primary === null || value === undefined || value.value === null || n < FEWEST_UNITS) return null;
    const half = halfWidth(value);
    const [low, high] = value.range;
    // Of a measure without ends, any move beyond the interval counts.
    const least = low === null || high === null ? 0 : LEAST_MOVE * (high - low);
    const { unit, to, move } = mostDecisive(primary.measure, primary.sums, value.value);
    if (move <= Math.max(least, half ?? TIMES_ITS_SHARE / n)) return null;
    const name = unit.replace(/^(?:case|cluster) /, '');
    const isCase = unit.startsWith('case ');
    return {
      severity: 'warning',
      title: `Without the ${isCase ? 'case' : 'group of cases'} ${name}, ${value.name} is ${figure(to)} instead of ${figure(value.value)}`,
      why: `One of ${count(n)} ${isCase ? 'cases' : 'groups of cases'} moves the value by ${figure(move)}${half === null ? '' : `, which is more than the interval allows for chance (± ${figure(half)})`}. The score is about this one as much as about all others.`,
      todo: 'Look at it: is it much larger than the others, or wrong in itself? Quote the value with and without it, or use a mean over cases, in which each counts the same.',
      subjects: [name],
      evidence: isCase ? { cases: { total: 1, shown: [name] } } : {},
    };
  },
};

export const singleAnnotatorDependence: AuditCheck = {
  name: 'single-annotator-dependence',
  about: 'one annotator or reviewer without whom, or with whose gold alone, a figure changes',
  severity: `Warning: by more than half of the interval and ${WARNING_MOVE} of the range; note: ${NOTE_MOVE}; ${FEWEST_PEOPLE}+ people, each with ${FEWEST_CASES}+ cases`,
  open({ measures, recipe, index, keep }) {
    const forms = recordAt(recipe, 'measure');
    const first = primaryMeasures(measures, recipe).slice(0, 1);
    const isByAnnotator = annotatorUses(recipe).includes('each');
    // Only means of the numbers of ratings: these add up item by item.
    const ofRatings = measures.filter(({ name }) => {
      const { of, kind } = recordAt(forms, name);
      return of === 'field-mean' && kind === 'rating';
    });
    const people = [
      ...(isByAnnotator ? [byPerson(first, keep, annotatorOf)] : []),
      byPerson(ofRatings, keep, (given) => (index.kinds.has('rating') ? raters(given) : [])),
    ];
    return {
      // Nobody is named in them.
      spans: null,
      case(given) {
        for (const one of people) one.add(given);
      },
      find(material) {
        const isKnown = people.some(({ tally }) => (tally.groups()[0]?.table.units.length ?? 0) > 0);
        if (!isKnown && (material.ceiling ?? []).every(({ alone = [] }) => alone.length === 0))
          return { skipped: 'the run does not say who judged what' };
        return [
          ...onePersonsGold(material),
          ...people.flatMap(({ own, tally }) => own.map((measure) => withoutOne(measure, tally, material))),
        ];
      },
    };
  },
};

type OfPerson = readonly [person: string | null | undefined, verdicts: readonly Verdict[]];

/** What cases add to measures, by the person that it is from. */
function byPerson(
  own: readonly Measure[],
  keep: OpenContext['keep'],
  partsOf: (given: AuditCase) => Iterable<OfPerson>,
) {
  const tally = keep(new Tally(own, []));
  const add = (given: AuditCase): void => {
    for (const [cluster, verdicts] of partsOf(given))
      if (typeof cluster === 'string')
        tally.add({ ...given, case: `${given.case} ${cluster}`, slices: undefined, cluster }, null, verdicts);
  };
  return { own, tally, add };
}

/** A case that is scored once per annotator. */
function annotatorOf({ verdicts, slices }: AuditCase): OfPerson[] {
  const named = verdicts.find(({ gold }) => (gold?.annotator ?? null) !== null)?.gold?.annotator;
  return [[named ?? slices?.['annotator'], verdicts]];
}

/** Ratings by who gave them. */
function raters({ verdicts }: AuditCase): Iterable<OfPerson> {
  const ratings = verdicts.filter(({ kind }) => kind === 'rating');
  return Map.groupBy(ratings, ({ predicted }) => predicted?.annotator);
}

function withoutOne(measure: Measure, tally: Tally, { run }: AuditMaterial): NewFinding | null {
  const value = overallValue(run, measure.name);
  const table = tally.groups()[0]?.table;
  const half = halfWidth(value);
  if (value === undefined || value.value === null || table === undefined || half === null) return null;
  const people = unitsWith(table, measure);
  const [low, high] = measure.range;
  if (people < FEWEST_PEOPLE || low === null || high === null) return null;
  const { unit, to, move } = mostDecisive(measure, table, value.value);
  if (move <= Math.max(half, NOTE_MOVE * (high - low))) return null;
  const name = unit.replace('cluster ', '');
  return {
    severity: move > WARNING_MOVE * (high - low) ? 'warning' : 'note',
    title: `Without ${name}, ${measure.name} is ${figure(to)} instead of ${figure(value.value)}`,
    why: `One of ${plural(people, 'person', 'people')} moves the value by ${figure(move)}, which is more than the interval (± ${figure(half)}); the interval is over cases and knows nothing of who judged them.`,
    todo: 'Look at how this person judged beside the others (assay agree), settle the differences, and quote the value with and without.',
    subjects: [name],
  };
}

/** `move` is how far the value moves with this person's gold alone. */
type Person = AlonePerson & Readonly<Record<'value' | 'own' | 'move', number>>;

/**
 * If gold is taken from one of several people, or made of all of theirs: one whose gold alone gives about the run's
 * value, while that of everybody else gives something else, and all of them on the same side.
 */
function onePersonsGold(material: AuditMaterial): (NewFinding | null)[] {
  const ceilings = material.ceiling ?? [];
  return ceilings.map(({ measure, cases, alone = [] }) => {
    const people = alone.flatMap((person): Person[] => {
      const { value, own } = person;
      const isHeard = person.cases >= FEWEST_CASES && person.cases >= LEAST_PART * cases;
      return value !== null && own !== null && isHeard ? [{ ...person, value, own, move: value - own }] : [];
    });
    // A measure over several kinds of items is not what people were compared by.
    const isOne = ceilings.filter((one) => one.measure === measure).length === 1;
    return people.length < 2 || !isOne ? null : withOneAlone(measure, people, material);
  });
}

function withOneAlone(measure: string, people: readonly Person[], { run }: AuditMaterial): NewFinding | null {
  const overall = overallValue(run, measure);
  const half = halfWidth(overall);
  if (overall === undefined || overall.value === null || half === null) return null;
  const [closest, ...others] = people.toSorted((a, b) => Math.abs(a.move) - Math.abs(b.move));
  const least = Math.max(WARNING_MOVE, half);
  const side = Math.sign(others[0]?.move ?? 0);
  const decides = others.every((one) => side * one.move > least && side * (one.value - closest!.value) > least);
  if (!decides) return null;
  const all = run.measures.cases.total - run.measures.cases.failed;
  const told = others.reduce((best, one) => (one.cases > best.cases ? one : best));
  const isWhole = told.cases === all;
  // What people were compared by is then not what the run measures.
  if (isWhole && Math.abs(told.own - overall.value) > 1e-9) return null;
  const [use] = annotatorUses(run.manifest.recipe.resolved);
  const over = isWhole ? '' : ` over the ${plural(told.cases, 'case')} of ${count(all)} that they annotated`;
  const withGold = ({ name, value, cases }: Person): string =>
    `${figure(value)} with ${name}${cases === all ? '' : ` (over ${plural(cases, 'case')})`}`;
  return {
    severity: 'warning',
    title: `With ${told.name} alone, ${measure} would be ${figure(told.value)} instead of ${figure(told.own)}${over}`,
    why: `Of ${plural(people.length, 'person', 'people')} whose gold was given only ${closest!.name} is close to the score of the run. With the gold of one of them alone ${measure} is ${formatList([closest!, ...others].map(withGold))}. The interval (± ${figure(half)}) is over cases and knows nothing of whose gold counts${use === undefined ? '' : ` (prepare.annotator: ${use})`}.`,
    todo: 'Look at where these people differ (assay agree) and settle it; until then quote the value with each of them (prepare.annotator=each, or a name).',
    subjects: [closest!.name],
  };
}

/** The unit without which a measure moves most. */
function mostDecisive(measure: Measure, sums: UnitSums, value: number): { unit: string; to: number; move: number } {
  let most = { unit: '', to: 0, move: 0 };
  for (const { unit, value: to } of jackknifeValues(measure, sums)) {
    const move = to === null ? 0 : Math.abs(to - value);
    if (to !== null && move > most.move) most = { unit, to, move };
  }
  return most;
}

/**
 * What a measure would be without each unit in turn, null where it has no value then: sums are taken off and put back,
 * nothing is scored again.
 */
export function* jackknifeValues(measure: Measure, table: UnitSums): Generator<{ unit: string; value: number | null }> {
  const sums = totals(table);
  const without = sumsAt(table, sums);
  const { ends, columns, values } = byUnit(table);
  const kept = new Float64Array(table.columns.length);
  for (let at = 0, from = 0; at < ends.length; from = ends[at]!, at += 1) {
    for (let place = from; place < ends[at]!; place += 1) {
      kept[place - from] = sums[columns[place]!]!;
      sums[columns[place]!]! -= values[place]!;
    }
    yield { unit: table.units[at]!, value: measure.value(without).value };
    for (let place = from; place < ends[at]!; place += 1) sums[columns[place]!] = kept[place - from]!;
  }
}

/** What each unit adds, unit after unit in long lists: an object for each part would be millions of them. */
function byUnit({ units, columns }: UnitSums): { ends: Int32Array; columns: Int32Array; values: Float64Array } {
  const next = new Int32Array(units.length + 1);
  for (const { units: own } of columns) for (let at = 0; at < own.length; at += 1) next[own[at]! + 1]! += 1;
  for (let unit = 0; unit < units.length; unit += 1) next[unit + 1]! += next[unit]!;
  const all = next[units.length]!;
  const found = { columns: new Int32Array(all), values: new Float64Array(all) };
  for (let column = 0; column < columns.length; column += 1) {
    const own = columns[column]!;
    for (let at = 0; at < own.units.length; at += 1) {
      const place = next[own.units[at]!]!++;
      found.columns[place] = column;
      found.values[place] = own.values[at]!;
    }
  }
  // Having been filled, each unit ends where the next one began.
  return { ...found, ends: next.subarray(0, units.length) };
}
