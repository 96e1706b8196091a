import type { Stats } from 'node:fs';
import { join } from 'node:path';

import { openPlain } from '../../data/read-file.ts';
import { reportPolicy, type Viewer } from '../../report/html/report-file.ts';

/** The policy is in the first lines. */
const POLICY_WITHIN = 4096;
const CLOSED = "default-src 'none';";
const ASKING = `${CLOSED} connect-src 'self';`;
const MARK = '<meta name="generator" content="assay">';
const BLOCK = 1 << 18;

/** A page that can be sent, of so many bytes. */
export interface SendablePage {
  readonly bytes: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/**
 * report.html of a run folder as it is served, block by block however large it is. Null without one, or if it was
 * made by another release: nobody knows which script it has.
 */
export async function reportPage(folder: string, viewer: Viewer, version: string): Promise<SendablePage | null> {
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
    const first = Buffer.from(servedBeginning(beginning, version), 'latin1');
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
export function servedPolicy(viewer: Viewer): string {
  return `${asking(reportPolicy(viewer))}; frame-ancestors 'none'`;
}

/** Whether the beginning of a file has the viewer of this release: its policy names it by hash. */
function isOfViewer(beginning: string, viewer: Viewer): boolean {
  return beginning.includes(`content="${reportPolicy(viewer)}"`);
}

/** The beginning of a report as it is served: it may ask, and knows what version it shows. */
export function servedBeginning(beginning: string, version: string): string {
  return asking(beginning).replace(MARK, () => `${MARK}\n<meta name="assay-version" content="${version}">`);
}

function asking(text: string): string {
  return text.replace(CLOSED, () => ASKING);
}

/** A stream of pieces, each made when it is asked for. The types of browsers have no `ReadableStream.from`. */
export function streamOf(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
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
