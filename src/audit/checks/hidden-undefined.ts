import type { MeasureValue } from '../../measure/results.ts';
import type { Check, NewFinding } from '../check.ts';
import { Evidence, NO_EVIDENCE } from '../evidence.ts';
import { overallValues } from '../overall-values.ts';
import { count, counted, figure, percent } from '../../text/figures.ts';
import { listed } from '../words.ts';
import { FilledInCases } from './filled-in-cases.ts';

/** A mean that leaves out a fifth of the cases is no longer about the cases. */
const WARNING_CASES = 0.2;
/** With fewer cases left out than this, one empty document in a small set would do. */
const FEWEST_CASES = 5;
/** A mean over less than half of the labels is a mean of the easy ones; one rare label that was never predicted is ordinary. */
const WARNING_LABELS = 0.5;
const FEWEST_LABELS = 3;

/** As measures say it in their notes. */
const LEFT_OUT = /(\d+) of (\d+) (cases|labels) left out/;
const GIVEN_AS = / given as (\S+) by zeroDivision/;

/** An average is read as the average of everything. */
export const hiddenUndefined: Check = {
  name: 'hidden-undefined',
  about: 'averages that leave out cases or labels without a value, or take a number for 0/0',
  open({ recipe }) {
    const without = new Map<string, Evidence>();
    const filledIn = new FilledInCases(recipe);
    return {
      add(given) {
        const { id, failed, measures } = given;
        filledIn.add(given);
        if (failed !== null) return;
        for (const name of Object.keys(measures)) {
          if (measures[name] !== null) continue;
          let own = without.get(name);
          if (own === undefined) without.set(name, (own = new Evidence()));
          own.addCase(id);
        }
      },
      finish: ({ run }) => [
        ...grouped(overallValues(run).flatMap(leftOut), without),
        ...filledIn.findings(run),
        ...zeroDivided(run.measures.measures.filter(({ slice }) => !Object.hasOwn(slice, 'scheme'))),
      ],
    };
  },
};

interface LeftOut {
  readonly name: string;
  readonly value: number;
  readonly out: number;
  readonly all: number;
  readonly what: 'cases' | 'labels';
}

function leftOut({ name, value, note }: MeasureValue): LeftOut[] {
  const [, out, all, what] = LEFT_OUT.exec(note ?? '') ?? [];
  if (out === undefined || value === null) return [];
  return [{ name, value, out: Number(out), all: Number(all), what: what === 'labels' ? 'labels' : 'cases' }];
}

/** Measures that leave out as much of the same in one finding: one fault of the data, not several. */
function grouped(found: readonly LeftOut[], without: ReadonlyMap<string, Evidence>): NewFinding[] {
  return [...Map.groupBy(found, ({ out, all, what }) => `${out} of ${all} ${what}`).values()].map((measures) =>
    finding(measures, without),
  );
}

function finding(measures: readonly LeftOut[], without: ReadonlyMap<string, Evidence>): NewFinding {
  const { out, all, what } = measures[0]!;
  const names = measures.map(({ name }) => name);
  // As many cases are left out of each: those of the first stand for all.
  const cases = without.get(names[0]!)?.cases;
  const many =
    what === 'labels'
      ? out >= FEWEST_LABELS && out / all >= WARNING_LABELS
      : out >= FEWEST_CASES && out / all >= WARNING_CASES;
  const values = measures.map(({ name, value }) => `${name} is ${figure(value)}`);
  return {
    severity: many ? 'warning' : 'note',
    title: `${listed(names)} ${names.length === 1 ? 'is a mean' : 'are means'} over ${count(all - out)} of ${count(all)} ${what}: for ${count(out)} (${percent(out, all)}) there is no value`,
    why: `${listed(values)}, and that says nothing about the ${what} that are left out. ${
      what === 'labels'
        ? 'A label that was never predicted has no precision, and one that is never in gold has no recall: leaving it out can make the mean look better.'
        : 'Cases in which a system says nothing are often its worst.'
    }`,
    todo: `Quote how many ${what} are left out beside the value, or use a measure over all items, which leaves none out.`,
    subjects: names,
    ...NO_EVIDENCE,
    ...(cases === undefined || what === 'labels' ? {} : { cases }),
    only: (some) =>
      finding(
        measures.filter(({ name }) => some.has(name)),
        without,
      ),
  };
}

/** Values that are no measurement but what the recipe wants for 0/0. */
function zeroDivided(values: readonly MeasureValue[]): NewFinding[] {
  const given = values.filter(({ note }) => GIVEN_AS.test(note ?? ''));
  const as = GIVEN_AS.exec(given[0]?.note ?? '')?.[1];
  if (as === undefined) return [];
  const shown = given.map(({ name, slice }) => [name, ...Object.values(slice)].join(' of '));
  return [
    {
      severity: 'note',
      title: `${counted(given.length, 'value')} ${given.length === 1 ? 'is' : 'are'} 0/0 and given as ${as} because the recipe says zeroDivision: ${as}: ${listed(shown)}`,
      why: `There was nothing to divide by, so ${as} is a convention and no measurement. Means over labels take it as if it had been measured.`,
      todo: 'Say zeroDivision: undefined to see which values there are none of, unless another tool has to be matched.',
      subjects: [...new Set(given.map(({ name }) => name))],
      ...NO_EVIDENCE,
    },
  ];
}
