import { tagTexts } from '../../../src/report/about.ts';
import type { LiveRun, ShownFigure } from '../../../src/server/runs/live-data.ts';
import { compareNatural } from '../../../src/text/compare.ts';
import type { HomeState, RunSort } from './home-state.ts';

/** The runs that a search and a task leave, in the order that was asked for. */
export function shownRuns(
  runs: readonly LiveRun[],
  { search, task, sort }: Pick<HomeState, 'search' | 'task' | 'sort'>,
): readonly LiveRun[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const left = runs.filter(({ path, about }) => {
    if (task !== null && about?.task !== task) return false;
    const { name = '', note = '', tags = {}, recipe = '', task: own = '' } = about ?? {};
    const text = [path, name, note, recipe, own, ...tagTexts(tags)].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return left.toSorted(orderOf(sort));
}

/** Tasks and figures that there are, for the choices. */
export function choicesOf(runs: readonly LiveRun[]): { readonly tasks: string[]; readonly figures: string[] } {
  const tasks = new Set<string>();
  const figures = new Map<string, number>();
  for (const { about } of runs) {
    if (about === null) continue;
    tasks.add(about.task);
    for (const { name } of about.figures) figures.set(name, (figures.get(name) ?? 0) + 1);
  }
  return {
    tasks: [...tasks].sort(compareNatural),
    // What most runs have is what people want to order them by.
    figures: [...figures].toSorted(([, a], [, b]) => b - a).map(([name]) => name),
  };
}

type Order = (a: LiveRun, b: LiveRun) => number;

function orderOf({ by, figure, reverse }: RunSort): Order {
  const turn = reverse ? -1 : 1;
  const byName: Order = (a, b) =>
    compareNatural(a.about?.name ?? a.path, b.about?.name ?? b.path) || compareNatural(a.path, b.path);
  switch (by) {
    case 'name':
      return (a, b) => turn * byName(a, b);
    case 'time':
      // What is being scored is the newest of all.
      return (a, b) => turn * (Number(isNew(b)) - Number(isNew(a)) || scoredAt(b) - scoredAt(a)) || byName(a, b);
    case 'figure':
      return (a, b) => {
        const [one, other] = [goodness(a, figure), goodness(b, figure)];
        // What has no such figure comes last, either way.
        if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
        return turn * (other - one) || byName(a, b);
      };
  }
}

/** When it was scored, as far as that is known: files that are copied are as new as the copy. */
export function scoredAt({ about, changed }: Pick<LiveRun, 'about' | 'changed'>): number {
  return about?.date == null ? changed : Date.parse(about.date);
}

function isNew({ state, about }: LiveRun): boolean {
  return state === 'writing' && about === null;
}

/** Larger is better, whatever the measure means. */
function goodness({ about }: LiveRun, name: string | null): number | null {
  const figure = about?.figures.find((one) => one.name === name);
  if (figure === undefined || figure.value === null) return null;
  return betterness(figure.value, figure);
}

function betterness(value: number, { direction, best }: Pick<ShownFigure, 'direction' | 'best'>): number {
  if (best !== undefined) return -Math.abs(value - best);
  return direction === 'higher' ? value : -value;
}
