import { z } from 'zod';

import type { Foldable } from '../../data/fold-state.ts';
import type { Measure } from '../../measure/measure.ts';
import { buildMeasures } from '../../measure/measures.ts';
import type { MeasureValue } from '../../measure/results.ts';
import { Tally } from '../../measure/tally.ts';
import type { Run } from '../../score/run.ts';
import { count, plural, figure, percent, levelText } from '../../text/figures.ts';
import type { AuditCheck, NewFinding, OpenCheck, OpenContext } from '../check.ts';
import { divisible, entryOf, Evidence, formatList } from '../evidence.ts';
import { recordAt } from '../recipe-parts.ts';
import { parseSaved } from '../saved-shape.ts';
import { isPaired, overallValues } from '../totals.ts';

export const noValues: AuditCheck = {
  name: 'no-values',
  about: 'no gold, no predictions, or no measure with a value',
  severity: 'Error',
  find({ totals, run }) {
    // The check `dropped-data` reports runs in which every case failed.
    if (totals.scored === 0) return null;
    const rows = totals.rows(({ scored }) => scored);
    const paired = rows.filter(({ kind }) => isPaired(kind));
    const hasGold = paired.some(({ gold }) => gold !== null);
    const hasPredictions = paired.some(({ predicted }) => predicted !== null);
    const hasValue = overallValues(run).some(({ value }) => value !== null);
    // What is logged is measured without gold.
    if (hasValue && (rows.length > paired.length || (hasGold && hasPredictions))) return null;
    const all = plural(totals.scored, 'case');
    if (hasGold && hasPredictions) return nothing(['measures'], `No measure has a value, in ${all}`);
    if (hasPredictions) return nothing(['gold'], `There is no gold in any of ${all}`);
    if (hasGold) return nothing(['predictions'], `There is no prediction in any of ${all}`);
    return nothing(['gold', 'predictions'], `There is neither gold nor a prediction in any of ${all}`);
  },
};

function nothing(subjects: readonly string[], title: string): NewFinding {
  return {
    severity: 'error',
    title: `${title}: nothing was measured`,
    words: 'nothing-to-compare/nothing',
    subjects,
  };
}

export const placeholderAnswers: AuditCheck = {
  name: 'placeholder-answers',
  about: 'answers of a stand-in for a model; stub traces',
  severity: 'Error',
  find({ run }) {
    const { heuristicLogs: logs = 0, stubTraces: stubs = 0 } = run.manifest.notices;
    const all = plural(run.measures.cases.total, 'case');
    const standIn = (n: number, subject: 'heuristic-logs' | 'stub-traces', title: string): NewFinding | null =>
      n === 0 ? null : { severity: 'error', title, words: `stand-ins/${subject}`, subjects: [subject] };
    const answered = `${logs === 1 ? 'was' : 'were'} answered by a heuristic stand-in, not by a language model`;
    const madeUp = `${stubs === 1 ? 'is a stub' : 'are stubs'}: no real conversation`;
    return [
      standIn(logs, 'heuristic-logs', `${plural(logs, 'log')} of ${all} ${answered}`),
      standIn(stubs, 'stub-traces', `${plural(stubs, 'trace')} of ${all} ${madeUp}`),
    ];
  },
};

/** A mean that leaves out a fifth of the cases is no longer about the cases; one empty document in a small set is ordinary. */
const LEFT_OUT_CASES = { share: 0.2, fewest: 5 };
/** A mean over less than half of the labels is a mean of the easy ones; one rare label that was never predicted is ordinary. */
const LEFT_OUT_LABELS = { share: 0.5, fewest: 3 };
/** Cases that count as a number nobody measured; from a tenth on the mean is as much about the convention. */
const FILLED_IN_CASES = { share: 0.1, fewest: 3 };

/** As measures say it in their notes. */
const LEFT_OUT = /(\d+) of (\d+) (cases|labels) left out/;
const GIVEN_AS = / given as (\S+) by zeroDivision/;
const OVER_CASES = new Set<unknown>(['case-mean', 'case-share']);

export const hiddenUndefinedValues: AuditCheck = {
  name: 'hidden-undefined-values',
  about: 'averages that leave out cases or labels without a value, or take a number for 0/0',
  severity: `Warning: ${levelText(LEFT_OUT_CASES.share)} of the cases (${LEFT_OUT_CASES.fewest}+) or ${levelText(LEFT_OUT_LABELS.share)} of the labels (${LEFT_OUT_LABELS.fewest}+) left out, or ${levelText(FILLED_IN_CASES.share)} of the cases (${FILLED_IN_CASES.fewest}+) take a number; otherwise a note`,
  scoredOnly: true,
  open: (context) => [
    leftOutCases(context),
    filledInCases(context),
    { find: ({ run }) => zeroDivided(run.measures.measures.filter(({ slice }) => !Object.hasOwn(slice, 'scheme'))) },
  ],
};

function leftOutCases({ keep }: OpenContext): OpenCheck {
  const without = keep(new Map<string, Evidence>(), () => new Evidence());
  return {
    case({ case: id, measures }) {
      for (const [name, value] of Object.entries(measures))
        if (value === null) entryOf(without, name, () => new Evidence()).addCase(id);
    },
    spans({ case: id, measures }) {
      for (const name in measures)
        if (measures[name] === null) entryOf(without, name, () => new Evidence()).addCase(id);
    },
    find({ run }) {
      // Measures that leave out as much of the same in one finding: one fault of the data, not several.
      const alike = Map.groupBy(overallValues(run).flatMap(leftOut), ({ key }) => key).values();
      return [...alike].flatMap((measures) => divisible(measures, (some) => finding(some, without)));
    },
  };
}

type LeftOut = ReturnType<typeof leftOut>[number];

function leftOut({ name: subject, value, note }: MeasureValue) {
  const [key, out, all, what = ''] = LEFT_OUT.exec(note ?? '') ?? [];
  return key === undefined || value === null ? [] : [{ subject, value, out: Number(out), all: Number(all), what, key }];
}

function finding(measures: readonly LeftOut[], without: ReadonlyMap<string, Evidence>): NewFinding {
  const { out, all, what } = measures[0]!;
  const names = measures.map(({ subject }) => subject);
  // As many cases are left out of each: those of the first stand for all.
  const cases = what === 'labels' ? undefined : without.get(names[0]!)?.cases;
  const { share, fewest } = what === 'labels' ? LEFT_OUT_LABELS : LEFT_OUT_CASES;
  const values = measures.map(({ subject, value }) => `${subject} is ${figure(value)}`);
  return {
    severity: out >= fewest && out / all >= share ? 'warning' : 'note',
    title: `${formatList(names)} ${names.length === 1 ? 'is a mean' : 'are means'} over ${count(all - out)} of ${count(all)} ${what}: for ${count(out)} (${percent(out, all)}) there is no value`,
    words: what === 'labels' ? 'hidden-undefined/labels' : 'hidden-undefined/cases',
    why: (usual) => `${formatList(values)}, and does not describe the ${what} that are left out. ${usual}`,
    evidence: cases === undefined ? {} : { cases },
  };
}

/** Values that are no measurement but what the recipe wants for 0/0. */
function zeroDivided(values: readonly MeasureValue[]): NewFinding | null {
  const given = values.filter(({ note }) => GIVEN_AS.test(note ?? ''));
  const as = GIVEN_AS.exec(given[0]?.note ?? '')?.[1];
  if (as === undefined) return null;
  const shown = given.map(({ name, slice }) => [name, ...Object.values(slice)].join(' of '));
  return {
    severity: 'note',
    title: `${plural(given.length, 'value')} ${given.length === 1 ? 'is' : 'are'} 0/0 and given as ${as} because the recipe sets zeroDivision: ${as}: ${formatList(shown)}`,
    why: `There was nothing to divide by, so ${as} is a convention and no measurement. Means over labels take it as if it had been measured.`,
    todo: 'Say zeroDivision: undefined to see which values there are none of, unless another tool has to be matched.',
    subjects: [...new Set(given.map(({ name }) => name))],
  };
}

type FilledIn = Readonly<{ subject: string; measure: Measure; evidence: Evidence }>;

/** Cases in which a measure over cases has nothing to divide by, and which zeroDivision gives a number. */
function filledInCases({ recipe, keep }: OpenContext): OpenCheck {
  const as = typeof recipe['zeroDivision'] === 'number' ? recipe['zeroDivision'] : 0;
  const forms = typeof recipe['zeroDivision'] === 'number' ? recordAt(recipe, 'measure') : {};
  const isOverCases = (name: string): boolean => OVER_CASES.has(recordAt(forms, name)['of']);
  /** The same measures without the number: what has no value there was filled in. */
  const measures = Object.keys(forms).some(isOverCases)
    ? buildMeasures(forms, null).measures.filter(({ name, overLabels }) => overLabels !== true && isOverCases(name))
    : [];
  /** Measures that were filled in in the same cases: one fault of the data, not several. */
  const alike = keep(new NameGroups(measures.map(({ name }) => name)));
  const found = keep(new Map(measures.map(({ name }) => [name, new Evidence()])));
  const seen = keep({ all: 0 });

  const without = ({ meanOfCases }: Measure, value: number, n: number): string =>
    meanOfCases !== true || seen.all === n
      ? ''
      : `, and ${figure((value * seen.all - n * as) / (seen.all - n))} over the other ${plural(seen.all - n, 'case')}`;
  const findingOf = (group: readonly FilledIn[], run: Run): NewFinding => {
    const names = group.map(({ subject }) => subject);
    const { cases } = group[0]!.evidence;
    const [n, { all }] = [cases.total, seen];
    const values = overallValues(run).flatMap(({ name, value }) => {
      const own = group.find(({ subject }) => subject === name);
      return own === undefined || value === null
        ? []
        : [`${name} is ${figure(value)}${without(own.measure, value, n)}`];
    });
    return {
      severity: n >= FILLED_IN_CASES.fewest && n >= FILLED_IN_CASES.share * all ? 'warning' : 'note',
      title: `${count(n)} of ${plural(all, 'case')} (${percent(n, all)}) ${n === 1 ? 'counts' : 'count'} as ${as} in ${formatList(names)} because the recipe sets zeroDivision: ${as}: there is nothing to divide by`,
      why: `Nothing was measured in them, so the mean is partly a convention.${values.length === 0 ? '' : ` ${formatList(values)}.`}`,
      todo: 'Set zeroDivision: undefined, which leaves such cases out and counts them, unless another tool has to be matched; then quote their number beside the value.',
      evidence: { cases },
    };
  };
  return {
    ...(measures.length === 0 ? { spans: null } : {}),
    case(given) {
      if (measures.length === 0) return;
      seen.all += 1;
      const values = new Tally(measures, []).add(given, null, given.verdicts).measures;
      const filled = new Set(measures.flatMap(({ name }) => (values[name] === null ? [name] : [])));
      for (const name of filled) found.get(name)!.addCase(given.case);
      alike.split(filled);
    },
    find: ({ run }) =>
      alike.groups
        .map((names) => measures.filter(({ name }) => names.includes(name)))
        .map((own) => own.map((measure) => ({ subject: measure.name, measure, evidence: found.get(measure.name)! })))
        .filter(([first]) => first !== undefined && first.evidence.cases.total > 0)
        .sort(([a], [b]) => measures.indexOf(a!.measure) - measures.indexOf(b!.measure))
        .flatMap((group) => divisible(group, (some) => findingOf(some, run))),
  };
}

/** Names in one group until something is true of some of a group and not of the others. */
class NameGroups implements Foldable {
  groups: readonly (readonly string[])[];

  constructor(names: readonly string[]) {
    this.groups = [names];
  }

  split(some: ReadonlySet<string>): void {
    this.groups = this.groups.flatMap((group) => {
      const own = group.filter((name) => some.has(name));
      const rest = group.filter((name) => !some.has(name));
      return own.length === 0 || rest.length === 0 ? [group] : [own, rest];
    });
  }

  save(): unknown {
    return this.groups;
  }

  merge(saved: unknown): void {
    for (const group of parseSaved(z.array(z.array(z.string())), saved)) this.split(new Set(group));
  }
}
