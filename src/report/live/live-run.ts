import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import { manifestFile, measuresFile } from '../../runs/output-shapes.ts';
import { parsed } from '../../runs/read-ledger.ts';
import type { Manifest, Measures, Run } from '../../runs/run.ts';
import { SEVERITIES } from '../../runs/audit/finding.ts';
import { readAudit } from '../html/run-parts.ts';
import { primaryMeasures } from '../html/run-view.ts';
import { factsOf } from '../recipe-facts.ts';
import type { FoundFolder } from './find-folders.ts';
import type { LiveRun } from './live-data.ts';

/** What a run's screens are made from: when one of them changes, so do they. */
const SOURCES = ['manifest.json', 'measures.json', 'ledger.jsonl', 'audit.json', 'figures.json', 'report.html'];

/** Runs as lists show them; a folder is read again only where one of its files has changed. */
export class LiveRuns {
  readonly #known = new Map<string, LiveRun>();

  async of(found: FoundFolder): Promise<LiveRun> {
    const { version, changed } = await versionOf(found.folder);
    if (found.kind === 'writing')
      return { path: found.path, state: 'writing', why: null, version, changed, about: null };
    const known = this.#known.get(found.folder);
    if (known?.version === version && known.path === found.path) return known;
    const run = await readLiveRun(found, version, changed);
    this.#known.set(found.folder, run);
    return run;
  }
}

async function readLiveRun({ folder, path }: FoundFolder, version: string, changed: number): Promise<LiveRun> {
  try {
    const read = async (file: string): Promise<string> => await readFile(join(folder, file), 'utf8');
    const manifest: Manifest = parsed(await read('manifest.json'), `${path}/manifest.json`, manifestFile);
    const measures: Measures = parsed(await read('measures.json'), `${path}/measures.json`, measuresFile);
    return {
      path,
      state: 'ready',
      why: null,
      version,
      changed,
      about: await aboutOf({ folder, manifest, measures, worst: [] }),
    };
  } catch (error) {
    const why = error instanceof UsageError ? error.message : 'it cannot be read';
    return { path, state: 'broken', why, version, changed, about: null };
  }
}

async function aboutOf(run: Run): Promise<NonNullable<LiveRun['about']>> {
  const { manifest, measures } = run;
  const overall = measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
  const names = primaryMeasures(
    overall.map(({ name }) => name),
    factsOf(manifest.recipe.resolved),
  );
  const audit = await readAudit(run);
  const open = audit?.findings.filter(({ accepted }) => accepted === null) ?? null;
  const [error = 0, warning = 0, note = 0] = SEVERITIES.map(
    (severity) => open?.filter((finding) => finding.severity === severity).length ?? 0,
  );
  return {
    task: manifest.task,
    recipe: manifest.recipe.name,
    comparable: manifest.comparable,
    cases: measures.cases.total,
    failed: measures.cases.failed,
    unanswered: measures.cases.unanswered,
    figures: names
      .flatMap((name) => overall.filter((value) => value.name === name))
      .map((value) => ({
        name: value.name,
        value: value.value,
        undefined: value.undefined,
        n: value.n,
        interval: value.interval === null ? null : { low: value.interval.low, high: value.interval.high },
        direction: value.direction,
      })),
    findings: open === null ? null : { error, warning, note },
  };
}

async function versionOf(folder: string): Promise<{ readonly version: string; readonly changed: number }> {
  const facts = await Promise.all(SOURCES.map(async (file) => await stat(join(folder, file)).catch(() => null)));
  const parts = facts.map((fact) => (fact === null ? '-' : `${fact.mtimeMs} ${fact.size} ${fact.ino}`));
  return {
    version: hash('sha256', parts.join('\n'), 'base64url').slice(0, 16),
    changed: Math.max(0, ...facts.map((fact) => Math.round(fact?.mtimeMs ?? 0))),
  };
}
