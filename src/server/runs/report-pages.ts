import { setTimeout as pause } from 'node:timers/promises';

import type { Context } from 'hono';

import { UsageError } from '../../data/problems.ts';
import { Refusal } from '../refusal.ts';
import { builtViewer } from '../../report/html/build-report.ts';
import { percent } from '../../text/figures.ts';
import type { Viewer } from '../../report/html/report-file.ts';
import type { OpenableRun } from './live-state.ts';
import { MadePages, type Making, type Page, type PageProgress } from './made-pages.ts';
import { ALL_RUNS, plainPage, wantsPage } from './plain-page.ts';
import { reportPage, servedBeginning, servedPolicy, streamOf } from './report-stream.ts';
import { keptTexts } from '../../report/html/kept-texts.ts';

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

  /** Changes when one of the runs does. */
  static versionOf(runs: readonly OpenableRun[]): string {
    return runs.map(({ run }) => run.version).join('.');
  }

  async ofRun(context: Context, found: OpenableRun): Promise<Response> {
    const viewer = builtViewer();
    const page = await reportPage(found.folder, viewer, found.run.version);
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
    return context.body(pageStream(page, version), 200, pageHeaders(viewer));
  }

  /** Null if it takes longer than a person waits without a word. */
  async #withinPatience({ page }: Making, isPerson: boolean): Promise<Page | null> {
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

function pageStream([first, ...rest]: Page, version: string): ReadableStream<Uint8Array> {
  const beginning = servedBeginning(Buffer.from(first ?? []).toString('utf8'), version);
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
