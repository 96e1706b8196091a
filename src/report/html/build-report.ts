import { basename } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { formatOf } from '../../formats/case-formats.ts';
import { idInFiles, type LedgerCase, ledgerVerdicts } from '../../score/ledger.ts';
import { readLedgerCases } from '../../score/run-file.ts';
import { runName } from '../../score/run-folder.ts';
import { readRunWith } from '../../score/run-queries.ts';
import type { Run } from '../../score/run.ts';
import { offsetMap } from '../../text/offsets.ts';
import { type CaseTexts, openCaseTexts } from '../case-texts.ts';
import { recipeFacts, type RecipeFacts } from '../recipe-facts.ts';
import { recipeValues } from './hide-texts.ts';
import type { ReportCase, RunView, Texts } from './report-data.ts';
import { readViewer, type Viewer } from './report-file.ts';
import { ReportWriter } from './report-writer.ts';
import { readAudit, readFigures } from './run-parts.ts';
import { runView } from './run-view.ts';

export interface BuildReportOptions {
  /** How much of the texts it holds. */
  readonly texts?: Texts;
  /** The path of the texts now, if they were moved after scoring. */
  readonly cases?: string | null;
  /** The recipe of the runs, if it has custom formats: their code is not in a run folder. */
  readonly recipe?: string;
  /** Of the same runs in the same order. */
  readonly comparison?: Comparison | null;
  /** Takes the file, piece by piece. */
  readonly write: (piece: string) => void;
  readonly progress?: (done: number, total: number) => void;
}

/** One run's cases, looked up by id; those before it in the file are held until they are looked up. */
class RunCases {
  readonly #cases: AsyncGenerator<LedgerCase>;
  readonly #held = new Map<string, LedgerCase>();

  constructor(folder: string) {
    this.#cases = readLedgerCases(folder, { schemes: false });
  }

  async of(id: string): Promise<LedgerCase | null> {
    const held = this.#held.get(id);
    if (held !== undefined) {
      this.#held.delete(id);
      return held;
    }
    for (let next = await this.#cases.next(); next.done !== true; next = await this.#cases.next()) {
      if (next.value.result.case === id) return next.value;
      this.#held.set(next.value.result.case, next.value);
    }
    return null;
  }

  /** Cases that were not looked up. */
  async *rest(): AsyncGenerator<LedgerCase> {
    yield* this.#held.values();
    this.#held.clear();
    yield* this.#cases;
  }
}

/** What became of a report. */
export interface BuiltReport {
  readonly cases: number;
  /** Cases whose text is missing. */
  readonly withoutText: number;
  /** What is wrong with the texts; null if nothing is. */
  readonly notice: string | null;
}

/** Makes report.html of a run, or of several over the same cases with the baseline first, from their folders. */
export async function buildReport(folders: readonly string[], options: BuildReportOptions): Promise<BuiltReport> {
  const runs: Run[] = [];
  for (const folder of folders) runs.push(await readRunWith(folder, options.recipe));
  const views: RunView[] = [];
  for (const [at, run] of runs.entries())
    views.push(
      runView(nameOf(run, options.comparison?.systems[at]?.name), run, await readAudit(run), await readFigures(run)),
    );
  const [first] = runs;
  if (first === undefined) throw new UsageError('a report needs a run', 'name the folder that assay score --out made');
  const changedBy = options.comparison?.changes.by ?? null;
  const writer = new ReportWriter({
    viewer: builtViewer(),
    title: `${views.map(({ name }) => name).join(' and ')} · assay`,
    texts: options.texts ?? 'full',
    listed: new Set(runs.flatMap(({ manifest }) => [...recipeValues(manifest.recipe.resolved)])),
    columns: views.map(({ primary }) => [...new Set([...primary, ...(changedBy === null ? [] : [changedBy])])]),
    write: options.write,
  });
  const texts = await openCaseTexts(first, null, options.cases ?? null, { withPaths: false });
  const counts = await closing(texts, () => writeCases(runs, texts, writer, options.progress));
  await writer.finish({ runs: views, comparison: withoutPlaces(options.comparison ?? null) });
  const { isPaired } = formatOf(first.manifest);
  return { ...counts, withoutText: isPaired ? counts.withoutText : 0, notice: texts.notice };
}

async function closing<T>(texts: CaseTexts, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await texts.close();
  }
}

async function writeCases(
  runs: readonly Run[],
  texts: CaseTexts,
  writer: ReportWriter,
  progress: BuildReportOptions['progress'],
): Promise<{ readonly cases: number; readonly withoutText: number }> {
  const facts = runs.map(recipeFacts);
  const cases = runs.map(({ folder }) => new RunCases(folder));
  const total = Math.max(...runs.map(({ measures }) => measures.cases.total));
  let done = 0;
  let withoutText = 0;
  for (const [at, own] of cases.entries()) {
    for await (const found of own.rest()) {
      const id = found.result.case;
      const others = [];
      for (const other of cases.slice(at + 1)) others.push(await other.of(id));
      const all = [...cases.slice(0, at).map(() => null), found, ...others];
      const text = await texts.of(idInFiles(found.result));
      if (text === null) withoutText += 1;
      const noText = text !== null ? null : (texts.notice ?? texts.lacking);
      writer.add({
        case: id,
        text,
        noText,
        runs: all.map((one, run) => shown(one, text, facts[run]!, runs[run]!.folder)),
      });
      await writer.ready();
      done += 1;
      progress?.(done, total);
    }
  }
  return { cases: done, withoutText };
}

function shown(
  found: LedgerCase | null,
  text: string | null,
  { offsets: unit }: RecipeFacts,
  folder: string,
): ReportCase['runs'][number] {
  if (found === null) return null;
  const offsets = text === null ? null : offsetMap(text, unit);
  return { result: found.result, verdicts: ledgerVerdicts(found.records, folder, offsets) };
}

/** A file that is passed on does not show where folders are. */
function withoutPlaces(comparison: Comparison | null): Comparison | null {
  if (comparison === null) return null;
  const { systems, notices } = comparison;
  // The longest first: one folder's path may begin another's.
  const named = systems.toSorted((a, b) => b.folder.length - a.folder.length);
  return {
    ...comparison,
    systems: systems.map((system) => ({ ...system, folder: system.name })),
    notices: notices.map((notice) =>
      named.reduce((text, { folder, name }) => (folder === '' ? text : text.replaceAll(folder, name)), notice),
    ),
  };
}

function nameOf(run: Run, compared: string | undefined): string {
  return compared ?? run.about?.name ?? basename(runName(run.folder));
}

/** The viewer; without it there is no report. */
export function builtViewer(): Viewer {
  const viewer = readViewer();
  if (viewer !== null) return viewer;
  throw new UsageError('the viewer of reports has not been built', 'npm run build in the folder of Assay makes it');
}
