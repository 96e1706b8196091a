import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

import type { Viewer } from '../html/report-file.ts';
import { isOfViewer, POLICY_WITHIN, servedBeginning } from './served-policy.ts';

const BLOCK = 1 << 18;

/** A page on its way: opened, and not yet read. */
export interface OpenPage {
  readonly bytes: number;
  stream(): ReadableStream<Uint8Array>;
  close(): Promise<void>;
}

/**
 * report.html of a run folder as it is served, block by block however large it is. Null where there is none, or where it was
 * made by another release: whose script it has nobody knows.
 */
export async function openReport(folder: string, viewer: Viewer, version: string): Promise<OpenPage | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
  const file = await open(join(folder, 'report.html'), flags).catch(() => null);
  if (file === null) return null;
  try {
    const fact = await file.stat();
    const block = Buffer.alloc(POLICY_WITHIN);
    const { bytesRead } = await file.read(block, 0, POLICY_WITHIN, 0);
    // Bytes as letters: a letter cut in two at the end stays as it is.
    const beginning = block.toString('latin1', 0, bytesRead);
    if (!fact.isFile() || !isOfViewer(beginning, viewer)) {
      await file.close();
      return null;
    }
    const first = Buffer.from(servedBeginning(beginning, version), 'latin1');
    return {
      bytes: first.length + fact.size - bytesRead,
      stream: () => streamed(first, file, bytesRead, fact.size),
      close: async () => await file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function streamed(first: Uint8Array, file: FileHandle, from: number, size: number): ReadableStream<Uint8Array> {
  let at = from;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(first);
    },
    async pull(controller) {
      const block = new Uint8Array(Math.min(BLOCK, size - at));
      const { bytesRead } = block.length === 0 ? { bytesRead: 0 } : await file.read(block, 0, block.length, at);
      at += bytesRead;
      if (bytesRead > 0) controller.enqueue(block.subarray(0, bytesRead));
      if (bytesRead > 0 && at < size) return;
      await file.close();
      controller.close();
    },
    async cancel() {
      await file.close();
    },
  });
}
