import {
  commandTable,
  count,
  plural,
  type Document,
  InputError,
  problemText,
  programName,
  safeJson,
  type Section,
  shellWord,
  UsageError,
} from '../../plugin.ts';
import type { Comparison } from '../../index.ts';
import { compareRuns } from '../../pipeline.ts';
import { comparisonDocument } from '../../report.ts';
import {
  dryRunDocument,
  type DryRunPlan,
  type Ending,
  EXPERIMENT_FORMAT,
  experimentDocument,
  type ExperimentSummary,
  type LoadedSystem,
  runFolderOf,
} from '../../experiment.ts';
import type { AuditNotices } from '../audit-notices.ts';
import { type CommandResult, type Terminal, writeError } from '../command.ts';
import type { RunFlags } from './overrides.ts';
import { inWordsOfRun } from './dataset-file.ts';

/** What came of one run. */
export interface Worked {
  readonly summary: ExperimentSummary;
  readonly audits: AuditNotices;
  readonly ending: Ending & { readonly isUnsaid: boolean };
}

/** How one of the systems is looked at, and run. */
interface Workshop {
  readonly look: (system: LoadedSystem) => Promise<DryRunPlan>;
  readonly work: (system: LoadedSystem) => Promise<Worked>;
}

interface SystemOutcome {
  readonly system: LoadedSystem;
  /** Null where it was refused, or not begun. */
  readonly worked: Worked | null;
  readonly error: string | null;
}

const INTERRUPTED = 130;
const WRONG = 2;

/** Runs the systems one after the other, each into its own folder, and compares them with the first. */
export async function runSystems(
  systems: readonly LoadedSystem[],
  flags: RunFlags,
  terminal: Terminal,
  { look, work }: Workshop,
): Promise<CommandResult> {
  if (flags.dryRun) {
    const views: DryRunPlan[] = [];
    for (const system of systems) views.push(await look(system));
    return {
      document: () => views.map((view) => dryRunDocument(view)),
      json: () => safeJson({ format: EXPERIMENT_FORMAT, dryRun: true, systems: views }),
    };
  }
  const outcomes: SystemOutcome[] = [];
  for (const [at, system] of systems.entries()) {
    if (outcomes.some(wasInterrupted)) {
      outcomes.push({ system, worked: null, error: 'not begun: interrupted' });
      continue;
    }
    terminal.note(`${system.system}: system ${at + 1} of ${systems.length}`);
    outcomes.push(await outcomeOf(system, work));
  }
  const { comparison, why } = await compared(outcomes, terminal);
  return {
    document: () => outcomesDocument(outcomes, comparison, why),
    json: () => outcomesJson(outcomes, comparison),
    after() {
      if (!flags.quiet) return;
      for (const { system, worked, error } of outcomes) {
        const words = error ?? worked?.ending.words ?? null;
        if (words !== null) writeError(`${system.system}: ${words}`);
      }
    },
    exit: worstCode(outcomes),
  };
}

/** An error of one system is reported with it and does not stop the others. */
async function outcomeOf(system: LoadedSystem, work: Workshop['work']): Promise<SystemOutcome> {
  try {
    return { system, worked: await work(system), error: null };
  } catch (given) {
    const error = inWordsOfRun(given);
    if (error instanceof InputError) return { system, worked: null, error: error.problems.map(problemText).join('\n') };
    if (!(error instanceof UsageError)) throw error;
    return { system, worked: null, error: [error.message, error.next].filter((one) => one !== null).join('\n') };
  }
}

function wasInterrupted({ worked }: SystemOutcome): boolean {
  return worked?.ending.code === INTERRUPTED;
}

async function compared(
  outcomes: readonly SystemOutcome[],
  { progress }: Terminal,
): Promise<{ readonly comparison: Comparison | null; readonly why: string | null }> {
  const folders = outcomes.flatMap(({ worked }) => worked?.summary.scoreFolder ?? []);
  if (folders.length < 2 || outcomes.some(wasInterrupted)) return { comparison: null, why: null };
  try {
    // Some may have run out of budget: they are compared over the cases that both have.
    const comparison = await compareRuns(folders, { force: 'cases', breathe: (share) => progress.at(share) });
    return { comparison, why: null };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { comparison: null, why: error.message };
  } finally {
    progress.end();
  }
}

function outcomesJson(outcomes: readonly SystemOutcome[], comparison: Comparison | null): string {
  const systems = outcomes.map(({ system: { system, loaded, results }, worked, error }) => ({
    system,
    folder: runFolderOf(loaded.experiment),
    results: worked === null ? null : results,
    error,
    summary: worked?.summary ?? null,
  }));
  return safeJson({ format: EXPERIMENT_FORMAT, systems, comparison });
}

/** What became of each system, the comparison, and where the answers are. */
function outcomesDocument(
  outcomes: readonly SystemOutcome[],
  comparison: Comparison | null,
  why: string | null,
): Document {
  const [only] = outcomes;
  const differences = comparison === null ? null : comparisonDocument(comparison);
  const { title, about, sections } =
    outcomes.length === 1 && only!.worked !== null
      ? experimentDocument(only!.worked.summary)
      : { title: plural(outcomes.length, 'system'), about: '', sections: outcomes.map(outcomeSection) };
  const answers = outcomes.flatMap(({ system, worked }) => (worked === null ? [] : system.results));
  const folders = outcomes.flatMap(({ worked }) => (worked?.summary.scoreFolder == null ? [] : worked.summary.folder));
  const next: [string, string][] = [
    ...answers.map((file): [string, string] => ['Answers', file]),
    ...(folders.length < 2
      ? []
      : [['Compare', `${programName()} compare ${folders.map(shellWord).join(' ')}`] satisfies [string, string]]),
  ];
  return {
    title,
    ...(about === undefined || about === '' ? {} : { about }),
    sections: [
      ...sections,
      ...(outcomes.length === 1 ? [{ blocks: only?.worked?.audits.blocks() ?? [] }] : []),
      ...(differences === null ? [] : [{ title: differences.title, blocks: [{ text: differences.about ?? '' }] }]),
      ...(differences?.sections ?? []),
      { blocks: [why === null ? null : { text: `Not compared: ${why}`, mark: 'warning' }] },
      { blocks: [commandTable(next)] },
    ],
  };
}

function outcomeSection({ system, worked, error }: SystemOutcome): Section {
  if (worked === null)
    return { title: system.system, mark: 'error', blocks: (error ?? '').split('\n').map((text) => ({ text })) };
  const { answered, failed, notRun, failures, folder } = worked.summary;
  const counts = [
    `${count(answered)} answered`,
    `${count(failed)} failed`,
    ...(notRun === 0 ? [] : [`${count(notRun)} not run`]),
  ];
  const kinds = failures.map(
    ({ kind, count: n, example }) => `${kind} ${count(n)}, for example ${example.item}: ${example.message}`,
  );
  return {
    title: system.system,
    mark: worked.ending.code === 0 ? 'passed' : 'error',
    blocks: [
      { text: `${counts.join(', ')}: ${folder}` },
      { list: kinds },
      worked.ending.words === null ? null : { text: worked.ending.words },
      ...worked.audits.blocks(),
    ],
  };
}

/** The most serious exit code: interrupted, error, failed gate, inconclusive gate. */
function worstCode(outcomes: readonly SystemOutcome[]): number {
  const codes = outcomes.map(({ worked }) => worked?.ending.code ?? WRONG);
  return [INTERRUPTED, WRONG, 1, 3].find((code) => codes.includes(code)) ?? 0;
}
