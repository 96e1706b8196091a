import { describe, expect, it } from 'vitest';

import type { LiveRun, ShownFigure } from '../../../src/server/runs/live-data.ts';
import { isAlike, selectionOf, seriesGroups } from '../../../web/src/home/alike.ts';
import { NEWEST, type RunSort } from '../../../web/src/home/home-state.ts';
import { choicesOf, shownRuns } from '../../../web/src/home/order-runs.ts';

const figure = (name: string, value: number | null, more: Partial<ShownFigure> = {}): ShownFigure => ({
  name,
  value,
  undefined: value === null ? 'nothing to measure' : null,
  n: 10,
  interval: null,
  noInterval: 'not asked for',
  direction: 'higher',
  range: [0, 1],
  ...more,
});

function run(path: string, changed: number, figures: readonly ShownFigure[], task = 'journal'): LiveRun {
  const about = {
    name: null,
    note: null,
    tags: {},
    date: null,
    commit: null,
    task,
    recipe: `${task}/own`,
    comparable: `assay:0|${task}`,
    assay: '0',
    cases: 5,
    failed: 0,
    unanswered: 0,
    figures,
    findings: null,
  };
  return { path, state: 'ready', why: null, version: 'x', changed, date: changed, written: null, about };
}

const RUNS: readonly LiveRun[] = [
  run('run-2', 200, [figure('f1', 0.5), figure('delay', 40, { direction: 'lower', range: [0, null] })]),
  run('run-10', 100, [figure('f1', 0.9), figure('delay', 90, { direction: 'lower', range: [0, null] })]),
  run('other', 300, [figure('f1', null)], 'pii'),
  { ...run('new', 0, []), state: 'writing', about: null },
];

function paths(sort: RunSort, search = '', task: string | null = null): string[] {
  return shownRuns(RUNS, { search, task, sort }).map(({ path }) => path);
}

describe('the list of runs', () => {
  it('has the newest first, and above them what is being scored', () => {
    expect(paths(NEWEST)).toEqual(['new', 'other', 'run-2', 'run-10']);
    expect(paths({ ...NEWEST, reverse: true })).toEqual(['run-10', 'run-2', 'other', 'new']);
  });

  it('counts in names', () => {
    expect(paths({ by: 'name', figure: null, reverse: false })).toEqual(['new', 'other', 'run-2', 'run-10']);
  });

  it('has the best first, whichever way is better, and what has no such figure last either way', () => {
    expect(paths({ by: 'figure', figure: 'f1', reverse: false })).toEqual(['run-10', 'run-2', 'new', 'other']);
    expect(paths({ by: 'figure', figure: 'f1', reverse: true })).toEqual(['run-2', 'run-10', 'new', 'other']);
    expect(paths({ by: 'figure', figure: 'delay', reverse: false }).slice(0, 2)).toEqual(['run-2', 'run-10']);
    const ratio = (path: string, value: number) => run(path, 0, [figure('ratio', value, { best: 1 })]);
    const ordered = shownRuns([ratio('a', 0.7), ratio('b', 1.1), ratio('c', 1.4)], {
      search: '',
      task: null,
      sort: { by: 'figure', figure: 'ratio', reverse: false },
    });
    expect(ordered.map(({ path }) => path)).toEqual(['b', 'a', 'c']);
  });

  it('goes by what a run is called and when it was scored, if that is known', () => {
    const named = (path: string, name: string, date: string): LiveRun => {
      const one = run(path, 0, []);
      return { ...one, about: { ...one.about!, name, date, note: 'Of May', tags: { model: 'tiny' } } };
    };
    const runs = [named('z', 'b', '2026-01-01T00:00:00.000Z'), named('y', 'a', '2026-01-02T00:00:00.000Z')];
    const shown = (sort: RunSort, search = ''): string[] =>
      shownRuns([...runs, run('x', 1, [])], { search, task: null, sort }).map(({ path }) => path);
    expect(shown({ by: 'name', figure: null, reverse: false })).toEqual(['y', 'z', 'x']);
    expect(shown(NEWEST)).toEqual(['y', 'z', 'x']);
    expect(shown(NEWEST, 'model=TINY may')).toEqual(['y', 'z']);
  });

  it('finds every word in the name, the recipe or the task', () => {
    expect(paths(NEWEST, 'RUN')).toEqual(['run-2', 'run-10']);
    expect(paths(NEWEST, 'pii  own')).toEqual(['other']);
    expect(paths(NEWEST, 'run own 10')).toEqual(['run-10']);
    expect(paths(NEWEST, '', 'pii')).toEqual(['other']);
    expect(paths(NEWEST, 'nothing')).toEqual([]);
  });

  it('offers the tasks there are and the figures that most runs have first', () => {
    expect(choicesOf(RUNS)).toEqual({ tasks: ['journal', 'pii'], figures: ['f1', 'delay'] });
    expect(choicesOf([])).toEqual({ tasks: [], figures: [] });
  });
});

describe('a series', () => {
  it('has the runs of a recipe over the same cases, by whatever release, where there are several', () => {
    const later = run('later', 400, []);
    const upgraded: LiveRun = { ...later, about: { ...later.about!, comparable: 'assay:1|journal', assay: '1' } };
    const groups = seriesGroups([...RUNS, upgraded, run('one', 500, [], 'graph'), run('x', 90, [], 'pii')]);
    expect(groups.map((runs) => runs.map(({ path }) => path))).toEqual([
      ['later', 'run-2', 'run-10'],
      ['other', 'x'],
    ]);
    expect(isAlike(upgraded, RUNS[0]!)).toBe(false);
  });
});

describe('a selection', () => {
  it('keeps its order, leaves out what is gone or cannot be opened, and knows what was not scored alike', () => {
    const { runs, unlike } = selectionOf(RUNS, ['run-10', 'gone', 'other', 'new', 'run-2']);
    expect(runs.map(({ path }) => path)).toEqual(['run-10', 'other', 'run-2']);
    expect(unlike.map(({ path }) => path)).toEqual(['other']);
    expect(selectionOf(RUNS, [])).toEqual({ runs: [], unlike: [] });
    expect(isAlike(RUNS[0]!, RUNS[3]!)).toBe(false);
  });
});
