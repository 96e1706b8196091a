import { setTimeout as pause } from 'node:timers/promises';

import type { Context } from 'hono';

import { UsageError } from '../../data/problems.ts';
import { Refusal } from '../refusal.ts';
import { builtViewer } from '../../report/html/build-report.ts';
import { percent } from '../../text/figures.ts';
import type { Viewer } from '../../report/html/report-file.ts';
import type { OpenableRun } from './live-state.ts';
import { MadePages, type Making, type PagePieces, type PageProgress } from './made-pages.ts';
import { ALL_RUNS, plainPage, wantsPage } from './plain-page.ts';
import { keptTexts } from '../../report/html/hide-texts.ts';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { openPlain } from '../../data/read-file.ts';
import { reportPolicy } from '../../report/html/report-file.ts';
import { xmlText } from '../../report/svg/markup.ts';
import type { RunAbout } from '../../score/run-about.ts';

/** A person who waits longer is shown what for. */
const PATIENCE_MS = 400;
const DOING: Readonly<Record<PageProgress['doing'], string>> = {
  comparing: 'Comparing the measures',
  writing: 'Gathering the cases',
};

/**
 * The screens of runs as a server shows them: the file in a run folder, or one made on demand. They may ask this server
 * whether anything has changed.
 */
export class ReportPages {
  readonly #made = new MadePages();
  readonly #withoutPlaces: (sentence: string) => string;

  /** Removes from sentences what remote viewers should not see. */
  constructor(withoutPlaces: (sentence: string) => string) {
    this.#withoutPlaces = withoutPlaces;
  }

  static versionOf(runs: readonly OpenableRun[]): string {
    return runs.map(({ run }) => run.version).join('.');
  }

  async ofRun(context: Context, found: OpenableRun): Promise<Response> {
    const viewer = builtViewer();
    const page = await reportPage(found, viewer);
    if (page === null) return await this.#ofMade(context, viewer, [found], false);
    return context.body(page.stream, 200, { ...pageHeaders(viewer), 'content-length': String(page.bytes) });
  }

  async ofComparison(context: Context, runs: readonly OpenableRun[], force: boolean): Promise<Response> {
    try {
      return await this.#ofMade(context, builtViewer(), runs, force);
    } catch (error) {
      // Runs that were not scored alike: the reader may insist.
      const alike = new Set(runs.map(({ run }) => run.about?.comparable)).size === 1;
      if (!(error instanceof Refusal) || error.status !== 409 || alike || force || !wantsPage(context)) throw error;
      return notAlikePage(context, error.message);
    }
  }

  async #ofMade(context: Context, viewer: Viewer, runs: readonly OpenableRun[], force: boolean): Promise<Response> {
    const folders = runs.map(({ folder }) => folder);
    const texts = await keptTexts(folders);
    const policy = servedPolicy(viewer);
    const version = ReportPages.versionOf(runs);
    const key = JSON.stringify([folders, version, force, texts, policy]);
    const making = this.#made.of(key, { folders, force, texts });
    if (making === null) throw new Refusal(503, 'Too many pages are being made at the moment: try again in a while.');
    const page = await this.#withinPatience(making, wantsPage(context));
    if (page === null) return waitingPage(context, runs, making);
    const about = runs.length > 1 ? null : (runs[0]?.run.about ?? null);
    return context.body(pageStream(page, version, about), 200, pageHeaders(viewer));
  }

  /** Null if it takes longer than a person waits without a word. */
  async #withinPatience({ page }: Making, isPerson: boolean): Promise<PagePieces | null> {
    try {
      return await (isPerson ? Promise.race([page, pause(PATIENCE_MS, null)]) : page);
    } catch (error) {
      if (error instanceof UsageError) throw new Refusal(409, this.#withoutPlaces(error.message));
      throw error;
    }
  }
}

function pageHeaders(viewer: Viewer): Record<string, string> {
  return { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': servedPolicy(viewer) };
}

function pageStream([first, ...rest]: PagePieces, version: string, about: RunAbout | null): ReadableStream<Uint8Array> {
  const beginning = servedBeginning(Buffer.from(first ?? []).toString('utf8'), version, about);
  return streamOf([Buffer.from(beginning), ...rest]);
}

function waitingPage(context: Context, runs: readonly OpenableRun[], { progress }: Making): Response {
  const names = runs.map(({ run }) => run.path).join(' and ');
  const far =
    progress === null
      ? 'It begins as soon as the one before it is done.'
      : `${DOING[progress.doing]}: ${percent(progress.share, 1)} done.`;
  return plainPage(context, 202, {
    title: runs.length > 1 ? 'Making the comparison' : 'Making the report',
    sentences: [`Of ${names}. ${far} This page shows it as soon as it is there.`],
    links: [ALL_RUNS],
    again: true,
  });
}

function notAlikePage(context: Context, message: string): Response {
  const { pathname, search } = new URL(context.req.url);
  return plainPage(context, 409, {
    title: 'These runs were not scored alike',
    sentences: [
      `${message}.`,
      'A difference between them may come from the scoring and not from the systems. It is safest to score both in the same way.',
    ],
    links: [{ href: `${pathname}${search}&force=1`, text: 'Compare them anyway' }, ALL_RUNS],
  });
}

/** The policy is in the first lines. */
const POLICY_WITHIN = 4096;
const CLOSED = "default-src 'none';";
const ASKING = `${CLOSED} connect-src 'self';`;
const MARK = '<meta name="generator" content="assay">';
const BLOCK = 1 << 18;

/** A page that can be sent, of so many bytes. */
interface SendablePage {
  readonly bytes: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/**
 * report.html of a run folder as it is served, block by block however large it is. Null without one, or if it was
 * made by another release: nobody knows which script it has.
 */
async function reportPage({ folder, run }: OpenableRun, viewer: Viewer): Promise<SendablePage | null> {
  const path = join(folder, 'report.html');
  const opened = await openPlain(path).catch(() => null);
  if (opened === null) return null;
  const { handle: file } = opened;
  try {
    const fact = await file.stat();
    const block = Buffer.alloc(POLICY_WITHIN);
    const { bytesRead } = await file.read(block, 0, POLICY_WITHIN, 0);
    // Bytes as letters: a letter cut in two at the end stays as it is.
    const beginning = block.toString('latin1', 0, bytesRead);
    if (!isOfViewer(beginning, viewer)) return null;
    const first = Buffer.from(servedBeginning(beginning, run.version, run.about), 'latin1');
    return {
      bytes: first.length + fact.size - bytesRead,
      stream: streamOf(blocks(path, fact, first, bytesRead)),
    };
  } finally {
    await file.close();
  }
}

async function* blocks(path: string, fact: Stats, first: Uint8Array, from: number): AsyncGenerator<Uint8Array> {
  yield first;
  for (let at = from; at < fact.size; at += BLOCK) yield await blockAt(path, fact, at);
}

/**
 * Opened for each block: the file is not held for a client that went away silently. It has to be the file of a moment ago:
 * nobody gets halves of two that follow each other.
 */
async function blockAt(path: string, fact: Stats, at: number): Promise<Uint8Array> {
  const { handle: file } = await openPlain(path);
  try {
    const now = await file.stat();
    if (now.ino !== fact.ino || now.size !== fact.size || now.mtimeMs !== fact.mtimeMs)
      throw new Error('the report was replaced while it was sent');
    const block = new Uint8Array(Math.min(BLOCK, fact.size - at));
    const { bytesRead } = await file.read(block, 0, block.length, at);
    if (bytesRead < block.length) throw new Error('the report was cut while it was sent');
    return block;
  } finally {
    await file.close();
  }
}

/**
 * What a page of this server may do: what the report itself allows, and ask this server whether anything has changed.
 * Sent along with every page, so that a file from elsewhere in a run folder can run nothing but our own script.
 */
function servedPolicy(viewer: Viewer): string {
  return `${asking(reportPolicy(viewer))}; frame-ancestors 'none'`;
}

/** Whether the beginning of a file has the viewer of this release: its policy names it by hash. */
function isOfViewer(beginning: string, viewer: Viewer): boolean {
  return beginning.includes(`content="${reportPolicy(viewer)}"`);
}

/**
 * The beginning of a report as it is served: it may ask, and knows what version it shows, what the run is called now and
 * when it was scored.
 */
function servedBeginning(beginning: string, version: string, about: RunAbout | null): string {
  const metas = [
    `<meta name="assay-version" content="${version}">`,
    ...(about === null ? [] : [`<meta name="assay-about" content="${xmlText(asciiJson(namedAbout(about)))}">`]),
  ];
  return asking(beginning).replace(MARK, () => [MARK, ...metas].join('\n'));
}

/** Without the facts that lists have beside it. */
function namedAbout({ name, note, tags, date, commit }: RunAbout): RunAbout {
  return { name, note, tags, date, commit };
}

/** The beginning of a file is passed on byte by byte, whatever its letters are: nothing but ASCII is put between. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[^\u0020-\u007e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function asking(text: string): string {
  return text.replace(CLOSED, () => ASKING);
}

/** A stream of pieces, each made when it is asked for. The types of browsers have no `ReadableStream.from`. */
function streamOf(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const each: Iterator<Uint8Array, void> | AsyncIterator<Uint8Array, void> =
    Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await each.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await each.return?.();
    },
  });
}
