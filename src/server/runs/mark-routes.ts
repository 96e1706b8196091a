import { hash } from 'node:crypto';

import type { Context } from 'hono';
import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { PAIRED_KINDS, SIDES } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { openCaseTexts } from '../../report/case-texts.ts';
import { keptTexts } from '../../report/html/hide-texts.ts';
import { recipeFacts } from '../../report/recipe-facts.ts';
import {
  type GoldMark,
  goldMarks,
  type MarkedRun,
  marksReview,
  type MarkTarget,
  saveMark,
} from '../../review/gold-marks.ts';
import { reviewSecret } from '../../review/review-access.ts';
import { idInFiles, ledgerVerdicts } from '../../score/ledger.ts';
import { readCaseResults, readLedger } from '../../score/run-file.ts';
import { runInputs } from '../../score/run-inputs.ts';
import type { Run } from '../../score/run.ts';
import type { Store } from '../../store/store.ts';
import { compareNatural } from '../../text/compare.ts';
import { offsetMap } from '../../text/offsets.ts';
import { refuseOtherSites } from '../guard.ts';
import { Refusal } from '../refusal.ts';
import { parsedBody, readJson } from '../request-body.ts';
import { type Route, route, type RouteGate } from '../server-app.ts';
import { Turns } from '../turns.ts';
import { runWithoutLedger } from './live-run.ts';
import type { OpenableRun } from './live-state.ts';

/** What `GET /live/marks?run=PATH` answers, and every mark. */
export interface RunMarks {
  /** The review that they are kept in; null before the first. */
  readonly review: string | null;
  /** Labels of the data. */
  readonly kinds: readonly string[];
  readonly marks: readonly GoldMark[];
}

const BODY_LIMIT = 1 << 16;
const MARKS = '/live/marks';
/** Ledgers read at once: a crafted one keeps its thread busy until the deadline. */
const LEDGERS_AT_ONCE = 2;
const MOST_WAITING = 16;

const markRequest = z.strictObject({
  id: z.string().regex(/^[\x21-\x7e]{1,100}$/, 'an id of printable characters'),
  by: z.string().max(200),
  case: z.string().max(10_000),
  /** `<side>.<kind>.<index>` */
  item: z.string().regex(/^\w{1,20}\.\w{1,20}\.\d{1,9}$/, 'an item of the case'),
  label: z.string().max(100).nullable(),
  kind: z.string().max(1000).exactOptional(),
  start: z.int().exactOptional(),
  end: z.int().exactOptional(),
  note: z.string().max(10_000).exactOptional(),
});
export type MarkRequest = z.infer<typeof markRequest>;

/** Marks on the gold of a run, kept as a review in the store. */
export function markRoutes(store: Store, gate: RouteGate, runAt: (path: string) => Promise<OpenableRun>): Route[] {
  const turns = new Turns(LEDGERS_AT_ONCE);
  const marked = async (context: Context): Promise<{ readonly run: Run; readonly about: MarkedRun }> => {
    const { folder, run: listed } = await runAt(context.req.query('run') ?? '');
    const run = await runWithoutLedger(folder);
    return { run, about: await markedRun(listed.path, run) };
  };
  const answer = async (context: Context, run: Run, about: MarkedRun): Promise<Response> => {
    const review = marksReview(store, about);
    const marks = review === null ? [] : goldMarks(store, review);
    const isShown = (await keptTexts([run.folder])) === 'full';
    const shown = isShown
      ? marks
      : marks.map((mark) => ({ ...mark, text: '', words: mark.words === null ? null : '' }));
    const body: RunMarks = { review: review?.name ?? null, kinds: about.kinds, marks: shown };
    return context.json(body);
  };
  // Whatever a browser calls the request: a form of another site is a navigation too.
  const writes: RouteGate = (context) => {
    refuseOtherSites(context);
    gate(context);
  };
  return [
    route('GET', MARKS, gate, async (context) => {
      const { run, about } = await marked(context);
      return answer(context, run, about);
    }),
    route('POST', MARKS, writes, async (context) => {
      const {
        case: caseId,
        item,
        ...mark
      } = parsedBody(markRequest, await readJson(context.req.raw, BODY_LIMIT), 'body');
      const { run, about } = await marked(context);
      if (turns.waiting >= MOST_WAITING)
        throw new Refusal(503, 'Too many marks are being made at the moment: try again in a while.');
      const target = await turns
        .take(() => targetIn(run, caseId, item))
        .catch((error: unknown) => {
          if (!(error instanceof UsageError)) throw error;
          throw new Refusal(409, error.message.replaceAll(run.folder, about.path), { next: error.next ?? '' });
        });
      const secret = reviewSecret(store.folder);
      const fault = store.transaction(() => saveMark(store, about, target, mark, secret));
      if (fault !== null) throw new Refusal(422, fault, { reason: 'a mark that is not possible' });
      return answer(context, run, about);
    }),
  ];
}

async function markedRun(path: string, run: Run): Promise<MarkedRun> {
  const { recipe, inputs, task } = run.manifest;
  const isGold = ({ role }: { readonly role: string }): boolean => role === 'cases' || role === 'gold';
  const found = await runInputs(run);
  const files = inputs.map(({ role, name, sha256 }, at) => ({ role, name, path: found[at]?.path ?? null, sha256 }));
  const { data, pair } = recipe.resolved;
  // Some files can be read in several ways.
  const kinds = PAIRED_KINDS.filter((kind) => isRecord(pair) && Object.hasOwn(pair, kind));
  const labels = new Set(run.measures.rules.map(({ label }) => label).filter((label) => label !== ''));
  return {
    path,
    gold: hash('sha256', JSON.stringify(files.filter(isGold).map(({ role, sha256 }) => [role, sha256]))),
    task,
    origin: {
      recipe: recipe.name,
      set: recipe.set,
      data: { ...(isRecord(data) ? data : {}), kinds },
      files: files.filter(isGold),
    },
    kinds: [...labels].sort(compareNatural),
  };
}

/** The item that the run has under this name, with the text of its case if that is at hand. */
async function targetIn(run: Run, caseId: string, name: string): Promise<MarkTarget> {
  const [sideName, kind, index] = name.split('.');
  const side = SIDES.find((one) => one === sideName);
  const notHere = new Refusal(404, 'The run has no such item: it may have been scored again.', {
    next: 'Load the page again.',
  });
  if (side === undefined || !PAIRED_KINDS.some((known) => known === kind)) throw notHere;
  const isItem = (one: { readonly index: number } | undefined): boolean => one?.index === Number(index);
  let caseInFiles: string | null = null;
  for await (const result of readCaseResults(run.folder)) if (result.case === caseId) caseInFiles = idInFiles(result);
  if (caseInFiles === null) throw notHere;
  const texts = await openCaseTexts(run, new Set([caseInFiles]), null, { withPaths: false });
  const text = await texts.of(caseInFiles);
  await texts.close();
  const offsets = text === null ? null : offsetMap(text, recipeFacts(run).offsets);
  for await (const record of readLedger(run.folder, new Set([caseId]))) {
    if (record.scheme !== undefined || record.kind !== kind || !isItem(record[side])) continue;
    const item = ledgerVerdicts([record], run.folder, offsets)[0]?.[side];
    if (item != null) return { case: caseId, caseInFiles, side, item, text };
  }
  throw notHere;
}
