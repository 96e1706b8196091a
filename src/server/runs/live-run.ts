import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { readPlain } from '../../data/read-file.ts';
import { UsageError } from '../../data/problems.ts';
import { SEVERITIES } from '../../audit/finding.ts';
import { taskTitle } from '../../recipe/task-title.ts';
import { parsedFile, unreadable } from '../../score/run-file.ts';
import { damaged } from '../../score/ledger.ts';
import { ABOUT_FILE, readAbout, type RunAbout } from '../../score/run-about.ts';
import { readRunFile } from '../../score/run-file.ts';
import { type Manifest, manifestFile, type Measures, measuresFile, type Run } from '../../score/run.ts';
import { readAudit } from '../../report/html/run-parts.ts';
import { columnMeasures } from '../../report/html/run-view.ts';
import { factsOf } from '../../report/recipe-facts.ts';
import { LEDGER_FILES } from '../../score/ledger-format.ts';
import { AddedLines } from './added-lines.ts';
import type { LiveFacts, LiveFolder, LiveRun, ShownFigure } from './live-data.ts';

/**
 * What shows that a run has changed: the folder itself, since our own program puts whole files into it, and files that may
 * be copied over it piece by piece.
 */
const WATCHED = ['.', 'manifest.json', 'measures.json', ...LEDGER_FILES, 'report.html', ABOUT_FILE];
/** What its screens are made from. */
const SOURCES = [...WATCHED.slice(1), 'cases.jsonl', 'audit.json', 'figures.json'];
const WRITTEN = 'cases.jsonl';
/** What a list reads of one file: more would keep everybody else waiting. */
const MOST_LISTED = { most: 32 << 20 };

/** A run as lists show it, and what they do not show. */
export interface KnownRun {
  readonly run: LiveRun;
  /** All measures that are of no slice. */
  readonly figures: readonly ShownFigure[];
  /** Hashes of the files with its predictions. */
  readonly predictions: readonly string[];
  /** Name of the stored review that it was scored with, as the manifest has it; null if there was none. */
  readonly review: string | null;
}

/** Runs as lists show them; a folder is read again only if one of its files has changed. */
export class LiveRuns {
  readonly #known = new Map<string, KnownRun>();
  readonly #written = new Map<string, CaseCount>();

  async of(found: LiveFolder): Promise<KnownRun> {
    const { version, changed } = await versionOf(found.folder);
    if (found.kind === 'writing') {
      const written = await this.#casesOf(found.folder);
      const run = { path: found.path, state: 'writing', why: null, version, changed, date: changed, written } as const;
      return { run: { ...run, about: null }, figures: [], predictions: [], review: null };
    }
    const known = this.#known.get(found.folder);
    if (known?.run.version === version && known.run.path === found.path) return known;
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

async function readLiveRun({ folder, path }: LiveFolder, version: string, changed: number): Promise<KnownRun> {
  const found = { path, version, changed, date: (await runDate(folder)) ?? changed, written: null };
  const broken = (why: string): KnownRun => {
    return { run: { ...found, state: 'broken', why, about: null }, figures: [], predictions: [], review: null };
  };
  const facts = await Promise.all(SOURCES.map(async (file) => await factOf(folder, file)));
  const link = SOURCES.find((_, at) => facts[at]?.isFile() === false);
  if (link !== undefined) return broken(`${path}/${link} is not a plain file: links are not followed`);
  try {
    const run = await runWithoutLedger(folder);
    const { manifest, measures } = run;
    const figures = measures.measures
      .filter(({ slice }) => Object.keys(slice).length === 0)
      .map(({ slice: _slice, units: _units, note: _note, cases: _cases, ...figure }) => figure);
    const about = { ...(await readAbout(folder)), ...(await factsOfRun(run, figures)) };
    const predictions = manifest.inputs.flatMap(({ role, sha256 }) => (role === 'predictions' ? [sha256] : []));
    const review = manifest.inputs.find(({ role, format }) => role === 'reviews' && format === 'store')?.name ?? null;
    return { run: { ...found, state: 'ready', why: null, about }, figures, predictions, review };
  } catch (error) {
    return broken(error instanceof UsageError ? error.message.replaceAll(folder, path) : 'it cannot be read');
  }
}

/** A run without its ledger, which is not checked: lists and marks need no more. */
export async function runWithoutLedger(folder: string): Promise<Run> {
  const place = join(folder, 'manifest.json');
  const bytes = await readPlain(place, MOST_LISTED).catch((error: unknown) => {
    throw unreadable(place, error);
  });
  const manifest: Manifest = parsedFile(bytes, place, manifestFile);
  const measures: Measures | null = await readRunFile({ folder, manifest }, 'measures.json', measuresFile, MOST_LISTED);
  if (measures === null) throw damaged(`${folder}/measures.json: this file of the run is missing`);
  return { folder, manifest, measures, worst: [] };
}

const timing = z.looseObject({ started: z.string() });

/** When a run was scored, in ms: its own files say nothing of that, since they are the same on any day. */
async function runDate(folder: string): Promise<number | null> {
  try {
    const bytes = await readPlain(join(folder, 'timing.json'), MOST_LISTED);
    const started = Date.parse(timing.parse(JSON.parse(bytes.toString('utf8'))).started);
    return Number.isNaN(started) ? null : started;
  } catch {
    return null;
  }
}

async function factsOfRun(run: Run, overall: readonly ShownFigure[]): Promise<Omit<LiveFacts, keyof RunAbout>> {
  const { manifest, measures } = run;
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
    assay: manifest.assay,
    cases: measures.cases.total,
    failed: measures.cases.failed,
    unanswered: measures.cases.unanswered,
    figures: names.flatMap((name) => overall.filter((value) => value.name === name)),
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
