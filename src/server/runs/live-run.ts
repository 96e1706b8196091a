import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { readPlain } from '../../data/read-file.ts';
import { UsageError } from '../../data/problems.ts';
import { SEVERITIES } from '../../audit/finding.ts';
import { taskTitle } from '../../recipe/task-title.ts';
import { parsedFile, unreadable } from '../../score/run-file.ts';
import { damaged } from '../../score/ledger.ts';
import { readRunFile } from '../../score/run-file.ts';
import { type Manifest, manifestFile, type Measures, measuresFile, type Run } from '../../score/run.ts';
import { readAudit } from '../../report/html/run-parts.ts';
import { columnMeasures } from '../../report/html/run-view.ts';
import { factsOf } from '../../report/recipe-facts.ts';
import { LEDGER_FILES } from '../../score/ledger-format.ts';
import { AddedLines } from './added-lines.ts';
import type { LiveFolder, LiveRun } from './live-data.ts';

/**
 * What shows that a run has changed: the folder itself, since our own program puts whole files into it, and files that may
 * be copied over it piece by piece.
 */
const WATCHED = ['.', 'manifest.json', 'measures.json', ...LEDGER_FILES, 'report.html'];
/** What its screens are made from. */
const SOURCES = [...WATCHED.slice(1), 'cases.jsonl', 'audit.json', 'figures.json'];
const WRITTEN = 'cases.jsonl';
/** What a list reads of one file: more would keep everybody else waiting. */
const MOST_LISTED = { most: 32 << 20 };

/** Runs as lists show them; a folder is read again only if one of its files has changed. */
export class LiveRuns {
  readonly #known = new Map<string, LiveRun>();
  readonly #written = new Map<string, CaseCount>();

  async of(found: LiveFolder): Promise<LiveRun> {
    const { version, changed } = await versionOf(found.folder);
    if (found.kind === 'writing') {
      const written = await this.#casesOf(found.folder);
      return { path: found.path, state: 'writing', why: null, version, changed, written, about: null };
    }
    const known = this.#known.get(found.folder);
    if (known?.version === version && known.path === found.path) return known;
    const run = await readLiveRun(found, version, changed);
    this.#known.set(found.folder, run);
    return run;
  }

  keep(folders: ReadonlySet<string>): void {
    for (const known of [this.#known, this.#written])
      for (const folder of known.keys()) if (!folders.has(folder)) known.delete(folder);
  }

  async #casesOf(folder: string): Promise<number> {
    const count = this.#written.get(folder) ?? new CaseCount();
    this.#written.set(folder, count);
    // The folder may be gone at any moment: it is renamed once it is whole.
    const fact = await factOf(folder, WRITTEN);
    if (fact?.isFile() === true) await count.lines.upTo(join(folder, WRITTEN), fact.size).catch(() => undefined);
    return count.cases;
  }
}

class CaseCount {
  cases = 0;
  readonly lines = new AddedLines(() => {
    this.cases += 1;
  });
}

async function readLiveRun({ folder, path }: LiveFolder, version: string, changed: number): Promise<LiveRun> {
  const found = { path, version, changed, written: null };
  const facts = await Promise.all(SOURCES.map(async (file) => await factOf(folder, file)));
  const link = SOURCES.find((_, at) => facts[at]?.isFile() === false);
  if (link !== undefined)
    return {
      ...found,
      state: 'broken',
      why: `${path}/${link} is not a plain file: links are not followed`,
      about: null,
    };
  try {
    const place = join(folder, 'manifest.json');
    const bytes = await readPlain(place, MOST_LISTED).catch((error: unknown) => {
      throw unreadable(place, error);
    });
    const manifest: Manifest = parsedFile(bytes, place, manifestFile);
    const measures: Measures | null = await readRunFile(
      { folder, manifest },
      'measures.json',
      measuresFile,
      MOST_LISTED,
    );
    if (measures === null) throw damaged(`${folder}/measures.json: this file of the run is missing`);
    const about = await aboutOf({ folder, manifest, measures, worst: [] });
    return { ...found, state: 'ready', why: null, about };
  } catch (error) {
    const why = error instanceof UsageError ? error.message.replaceAll(folder, path) : 'it cannot be read';
    return { ...found, state: 'broken', why, about: null };
  }
}

async function aboutOf(run: Run): Promise<NonNullable<LiveRun['about']>> {
  const { manifest, measures } = run;
  const overall = measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
  const names = columnMeasures(
    overall.map(({ name }) => name),
    factsOf(manifest.recipe.resolved),
  );
  const audit = await readAudit(run, MOST_LISTED);
  const open = audit?.findings.filter(({ accepted }) => accepted === null) ?? null;
  const [error = 0, warning = 0, note = 0] = SEVERITIES.map(
    (severity) => open?.filter((finding) => finding.severity === severity).length ?? 0,
  );
  return {
    task: taskTitle(manifest.task),
    recipe: manifest.recipe.name,
    comparable: manifest.comparable,
    cases: measures.cases.total,
    failed: measures.cases.failed,
    unanswered: measures.cases.unanswered,
    figures: names
      .flatMap((name) => overall.filter((value) => value.name === name))
      .map(({ slice: _slice, units: _units, note: _note, cases: _cases, ...figure }) => figure),
    findings: open === null ? null : { error, warning, note },
  };
}

async function versionOf(folder: string): Promise<{ readonly version: string; readonly changed: number }> {
  const facts = await Promise.all(WATCHED.map(async (file) => await factOf(folder, file)));
  const parts = facts.map((fact) => (fact === null ? '-' : `${fact.mtimeMs} ${fact.size} ${fact.ino}`));
  return {
    version: hash('sha256', parts.join('\n'), 'base64url').slice(0, 16),
    // The folder's own time changes with whatever is put beside the run.
    changed: Math.max(0, ...facts.slice(1).map((fact) => Math.round(fact?.mtimeMs ?? 0))),
  };
}

/** Of the file itself, also if it is a link. */
async function factOf(folder: string, file: string): Promise<Stats | null> {
  return await lstat(join(folder, file)).catch(() => null);
}
