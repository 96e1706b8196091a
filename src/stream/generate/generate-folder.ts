import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { sideBySide } from '../../experiment.ts';
import { sha256Of, UsageError } from '../../plugin.ts';
import { readTrace } from '../read-trace.ts';
import { DEFAULT_CLOCK } from '../record/event-clock.ts';
import { type RecordedTrace, Recording } from '../record/recording.ts';
import type { TraceFacts } from '../record/trace-builder.ts';
import type { TraceMeta } from '../trace-records.ts';
import { conversation, type ConversationModel, NoAnswer, type SpokenTurn } from './conversation.ts';
import type { ConversationSettings } from './mas-config.ts';

export interface GeneratedCase {
  readonly id: string;
  readonly text: string;
}

export interface GenerateOptions {
  readonly cases: readonly GeneratedCase[];
  readonly settings: ConversationSettings;
  readonly model: ConversationModel;
  readonly out: string;
  readonly masRunId: string;
  /** In every trace: what made it. */
  readonly provenance: NonNullable<TraceFacts['published']>;
  /** Also makes the traces again that are there. */
  readonly force: boolean;
  /** Whether the first case that fails ends the run. */
  readonly stopAtFailure: boolean;
  readonly concurrency: number;
  /** Why an error is a failure of the case and of no other; null: it ends the run. */
  readonly failureOf: (error: unknown) => string | null;
  /** Why no further case is begun; null: continue. */
  readonly stop?: () => string | null;
  readonly done?: (progress: { readonly finished: number; readonly total: number; readonly caseId: string }) => void;
}

export interface GeneratedFolder {
  readonly made: readonly RecordedTrace[];
  /** Cases whose trace was there already. */
  readonly kept: readonly string[];
  readonly failed: readonly { readonly case: string; readonly error: string }[];
  /** Cases that were not begun, and why. */
  readonly left: { readonly cases: number; readonly why: string } | null;
}

/**
 * One trace a case, `out/<case>.trace.jsonl.gz`. A trace appears whole or not at all, so that the same call after a kill
 * keeps what is finished and does the rest.
 */
export async function generateFolder(options: GenerateOptions): Promise<GeneratedFolder> {
  const kept = await finishedCases(options);
  const waiting = options.cases.filter(({ id }) => !kept.includes(id));
  const made: RecordedTrace[] = [];
  const failed: { case: string; error: string }[] = [];
  const total = options.cases.length;
  let why: string | null = null;
  const work = async (next: GeneratedCase): Promise<void> => {
    try {
      made.push(await generateCase(next, options));
    } catch (error) {
      const reason = error instanceof NoAnswer ? error.message : options.failureOf(error);
      if (reason === null) throw error;
      failed.push({ case: next.id, error: reason });
    }
    options.done?.({ finished: kept.length + made.length + failed.length, total, caseId: next.id });
  };
  await sideBySide(waiting, options.concurrency, work, () => {
    const hasFailed = options.stopAtFailure && failed.length > 0;
    why = options.stop?.() ?? (hasFailed ? 'a case failed (on_failure: raise)' : null);
    return why !== null;
  });
  const left = waiting.length - made.length - failed.length;
  const order = (a: string, b: string): number => (a < b ? -1 : 1);
  return {
    made: made.toSorted((a, b) => order(a.caseId, b.caseId)),
    kept,
    failed: failed.toSorted((a, b) => order(a.case, b.case)),
    left: why === null ? null : { cases: left, why },
  };
}

const TRACE_NAME = /\.trace\.jsonl(?:\.gz|\.zst)?$/;

/** The cases whose trace is there and is of this very generation; any other trace of the folder is refused. */
export async function finishedCases({ cases, out, masRunId, force }: GenerateOptions): Promise<string[]> {
  const texts = new Map(cases.map(({ id, text }) => [id, sha256Of(text)]));
  const finished: string[] = [];
  for (const name of existsSync(out) ? readdirSync(out).sort() : []) {
    if (!TRACE_NAME.test(name)) continue;
    const file = join(out, name);
    const { meta } = await readTrace(file);
    const hash = meta.decoding?.assay?.case_text_hash;
    const isSame = meta.mas_run_id === masRunId && (texts.get(meta.case_id) ?? hash) === hash;
    if (!isSame && !(force && texts.has(meta.case_id)))
      throw new UsageError(
        `${file} is of another generation (${differenceOf(meta, masRunId)})`,
        texts.has(meta.case_id) ? 'name another --out, or write over it with --force' : 'name another --out',
      );
    if (isSame && !force && texts.has(meta.case_id)) finished.push(meta.case_id);
  }
  return finished;
}

function differenceOf(meta: TraceMeta, masRunId: string): string {
  return meta.mas_run_id === masRunId
    ? 'the text of its case was another'
    : `mas_run_id ${meta.mas_run_id ?? 'none'}, not ${masRunId}`;
}

async function generateCase({ id, text }: GeneratedCase, options: GenerateOptions): Promise<RecordedTrace> {
  const { out, masRunId, model, settings, provenance } = options;
  const recording = new Recording({
    ...DEFAULT_CLOCK,
    caseId: id,
    folder: out,
    masRunId,
    model: model.id,
    macCommit: null,
    facts: {
      published: provenance,
      unpublished: { case_text_hash: sha256Of(text), ...(model.note === null ? {} : { note: model.note }) },
    },
    live: false,
    force: true,
    now: () => 0,
  });
  await recording.take(eventLines(conversation(id, text, settings, model)), join(out, id), ({ message }) => {
    throw new NoAnswer(`the conversation cannot be recorded: ${message}`);
  });
  return recording.finish();
}

/** As the recorder reads them: a JSON line for each piece, the last of a turn marked. */
async function* eventLines(turns: AsyncGenerator<SpokenTurn>): AsyncGenerator<Buffer> {
  for await (const { agent, pieces } of turns) {
    const lines = pieces.map(({ text, time }, at) =>
      JSON.stringify({
        agent,
        text,
        ...(time === null ? {} : { time }),
        end_of_turn: at === pieces.length - 1,
      }),
    );
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
}
