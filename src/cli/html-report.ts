import { existsSync, statSync, writeSync } from 'node:fs';

import { PiecewiseFile } from '../data/write-pieces.ts';
import { buildReport, type BuildReportOptions } from '../report/html/build-report.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { shareLine } from './share-progress.ts';
import { StatusLine } from './status-line.ts';

/** Writes report.html of one run or several; `-` is standard output. */
export async function writeHtmlReport(
  file: string,
  folders: readonly string[],
  options: Omit<BuildReportOptions, 'write' | 'progress'>,
  quiet: boolean,
): Promise<void> {
  const line = new StatusLine(process.stderr, quiet);
  const told = (done: number, total: number): void => line.show((elapsed) => shareLine(done / total, elapsed));
  // What is there and no file, such as a pipe, is written to as it is.
  const isStream = file === '-' || (existsSync(file) && !statSync(file).isFile());
  try {
    if (isStream) {
      await buildReport(folders, { ...options, progress: told, write: (piece) => writeAll(piece) });
      return;
    }
    const out = new PiecewiseFile(file, 'choose another place with --out');
    clearOnInterrupt(out);
    try {
      await buildReport(folders, { ...options, progress: told, write: (piece) => out.write(piece) });
      out.finish();
    } catch (error) {
      out.abandon();
      throw error;
    }
  } finally {
    line.end();
  }
}

function writeAll(piece: string): void {
  const bytes = Buffer.from(piece, 'utf8');
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}
