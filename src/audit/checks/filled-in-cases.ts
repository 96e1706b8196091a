import { isRecord } from '../../data/record-fields.ts';
import type { Measure } from '../../measure/measure.ts';
import { buildMeasures } from '../../measure/measures.ts';
import { Tally } from '../../measure/tally.ts';
import type { Run } from '../../score/run.ts';
import type { AuditCase, NewFinding } from '../check.ts';
import { Evidence, NO_EVIDENCE } from '../evidence.ts';
import { overallValues } from '../overall-values.ts';
import { count, counted, figure, percent } from '../../text/figures.ts';
import { listed } from '../words.ts';

/** Cases that count as a number nobody measured; from a tenth on the mean is as much about the convention. */
const WARNING_CASES = 0.1;
/** One or two empty documents in a small set are ordinary. */
const FEWEST_CASES = 3;

const OVER_CASES = new Set<unknown>(['case-mean', 'case-share']);

interface FilledIn {
  readonly name: string;
  readonly cases: Evidence;
}

/** Cases in which a measure over cases has nothing to divide by, and which zeroDivision gives a number. */
export class FilledInCases {
  readonly #as: number | null;
  /** The same measures without the number: what has no value there was filled in. */
  readonly #measures: readonly Measure[];
  /** Measures that were filled in in the same cases: one fault of the data, not several. */
  #groups: readonly (readonly FilledIn[])[];
  #cases = 0;

  constructor({ measure, zeroDivision }: Readonly<Record<string, unknown>>) {
    this.#as = typeof zeroDivision === 'number' ? zeroDivision : null;
    const forms = isRecord(measure) && this.#as !== null ? measure : {};
    const isOverCases = (name: string): boolean => isRecord(forms[name]) && OVER_CASES.has(forms[name]['of']);
    this.#measures = Object.keys(forms).some(isOverCases)
      ? buildMeasures(forms, null).measures.filter(({ name, byCase }) => byCase && isOverCases(name))
      : [];
    this.#groups = [this.#measures.map(({ name }) => ({ name, cases: new Evidence() }))];
  }

  add({ id, failed, answered, slices, cluster, verdicts }: AuditCase): void {
    if (this.#measures.length === 0 || failed !== null) return;
    this.#cases += 1;
    const tally = new Tally(this.#measures, []);
    const { measures } = tally.add({ case: id, failed, answered, slices, cluster }, null, verdicts);
    this.#groups = this.#groups.flatMap((group) => {
      const filled = group.filter(({ name }) => measures[name] === null);
      if (filled.length === 0) return [group];
      for (const { cases } of filled) cases.addCase(id);
      return filled.length === group.length ? [group] : [filled, group.filter(({ name }) => measures[name] !== null)];
    });
  }

  findings(run: Run): NewFinding[] {
    const order = this.#measures.map(({ name }) => name);
    return this.#groups
      .filter(([first]) => first !== undefined && first.cases.cases.total > 0)
      .toSorted(([a], [b]) => order.indexOf(a?.name ?? '') - order.indexOf(b?.name ?? ''))
      .map((group) => this.#finding(group, run));
  }

  #finding(group: readonly FilledIn[], run: Run): NewFinding {
    const names = group.map(({ name }) => name);
    const { cases } = group[0]!.cases;
    const [n, all, as] = [cases.total, this.#cases, this.#as ?? 0];
    const values = overallValues(run).flatMap(({ name, value }) =>
      names.includes(name) && value !== null ? [`${name} is ${figure(value)}${this.#without(name, value, n)}`] : [],
    );
    return {
      severity: n >= FEWEST_CASES && n >= WARNING_CASES * all ? 'warning' : 'note',
      title: `${count(n)} of ${counted(all, 'case')} (${percent(n, all)}) ${n === 1 ? 'counts' : 'count'} as ${as} in ${listed(names)} because the recipe says zeroDivision: ${as}: there is nothing to divide by`,
      why: `Nothing was measured in them, so the mean is partly a convention.${values.length === 0 ? '' : ` ${listed(values)}.`}`,
      todo: 'Say zeroDivision: undefined, which leaves such cases out and says how many, unless another tool has to be matched; then quote their number beside the value.',
      subjects: names,
      ...NO_EVIDENCE,
      cases,
      only: (subjects) =>
        this.#finding(
          group.filter(({ name }) => subjects.has(name)),
          run,
        ),
    };
  }

  #without(name: string, value: number, n: number): string {
    const rest = this.#cases - n;
    const isMean = this.#measures.some((measure) => measure.name === name && measure.meanOfCases === true);
    if (!isMean || rest === 0) return '';
    return `, and ${figure((value * this.#cases - n * (this.#as ?? 0)) / rest)} over the other ${counted(rest, 'case')}`;
  }
}
