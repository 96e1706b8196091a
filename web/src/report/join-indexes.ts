import type { CaseIndex, RunColumns } from '../../../src/report/html/report-data.ts';

/** Names of several lists in one, and where each list's names are in it. */
class JoinedNames {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  placesOf(names: readonly string[]): number[] {
    return names.map((name) => {
      const known = this.#places.get(name) ?? this.list.push(name) - 1;
      this.#places.set(name, known);
      return known;
    });
  }
}

/** The parts of an index, each with its own lists of names, as one. */
export function joinIndexes([first, ...others]: readonly [CaseIndex, ...CaseIndex[]]): CaseIndex {
  if (others.length === 0) return first;
  const parts = [first, ...others];
  const [labels, rules] = [new JoinedNames(), new JoinedNames()];
  const moved = parts.map((part): readonly RunColumns[] => {
    const [labelPlaces, rulePlaces] = [labels.placesOf(part.labels), rules.placesOf(part.rules)];
    return part.runs.map((run) => ({
      ...run,
      wrongLabels: run.wrongLabels.map((list) => list.map((at) => labelPlaces[at]!)),
      rules: run.rules.map((list) => list.map((at) => rulePlaces[at]!)),
    }));
  });
  return {
    ids: parts.flatMap(({ ids }) => ids),
    labels: labels.list,
    rules: rules.list,
    slices: joinSlices(parts),
    runs: first.runs.map((_, at) => joinColumns(moved.map((part) => part[at]!))),
  };
}

function joinColumns(parts: readonly RunColumns[]): RunColumns {
  const all = <T>(column: (part: RunColumns) => readonly T[]): T[] => parts.flatMap(column);
  const measures = Object.keys(parts[0]?.measures ?? {});
  return {
    hit: all(({ hit }) => hit),
    missed: all(({ missed }) => missed),
    spurious: all(({ spurious }) => spurious),
    excused: all(({ excused }) => excused),
    state: all(({ state }) => state),
    errors: all(({ errors }) => errors),
    wrongLabels: all(({ wrongLabels }) => wrongLabels),
    rules: all(({ rules }) => rules),
    print: all(({ print }) => print),
    measures: Object.fromEntries(measures.map((name) => [name, all((part) => part.measures[name] ?? [])])),
  };
}

/** A part has the columns that its cases have. */
function joinSlices(parts: readonly CaseIndex[]): CaseIndex['slices'] {
  const columns = [...new Set(parts.flatMap(({ slices }) => Object.keys(slices)))];
  return Object.fromEntries(
    columns.map((column) => {
      const values = new JoinedNames();
      const of = parts.flatMap(({ ids, slices }) => {
        const slice = slices[column];
        if (slice === undefined) return ids.map(() => -1);
        const places = values.placesOf(slice.values);
        return slice.of.map((at) => places[at] ?? -1);
      });
      return [column, { values: values.list, of }];
    }),
  );
}
