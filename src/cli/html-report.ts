import { basename, dirname, resolve } from 'node:path';

import { plural, FileWriter, removePartials, safeText } from '../plugin.ts';
import { buildReport, type BuildReportOptions, type BuiltReport, keptTexts, type Texts } from '../report.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { shareLine } from './progress.ts';
import { Progress } from './progress.ts';

export interface HtmlReport extends Pick<BuildReportOptions, 'comparison' | 'cases' | 'recipe'> {
  /** Where it goes; `-` is standard output. */
  readonly file: string;
  /** The flag that names the file. */
  readonly flag: string;
  readonly folders: readonly string[];
  /** Null: no more than the reports of the runs hold. */
  readonly texts: Texts | null;
  readonly quiet: boolean;
}

const HELD: Readonly<Record<Texts, string>> = {
  full: 'with all texts',
  redacted: 'texts redacted',
  none: 'without texts',
};

/** Writes the page of one run or several, and prints what it holds. */
export async function writeHtmlReport({ file, flag, folders, texts, quiet, ...options }: HtmlReport): Promise<void> {
  const line = new Progress(process.stderr, quiet);
  const held = texts ?? (await keptTexts(folders));
  const progress = (done: number, total: number): void => line.show((elapsed) => shareLine(done / total, elapsed));
  const build = (write: (piece: string) => void): Promise<BuiltReport> =>
    buildReport(folders, { ...options, texts: held, progress, write }).finally(() => line.end());
  if (file === '-') {
    await build((piece) => void process.stdout.write(piece));
    // A slow reader has not taken all of it yet.
    await new Promise<void>((resume) => void process.stdout.write('', () => resume()));
    return;
  }
  const out = new FileWriter(file, { next: `choose another place with ${flag}` });
  clearOnInterrupt(out);
  removePartials(dirname(resolve(file)), basename(file));
  try {
    const built = await build((piece) => out.write(piece));
    out.finish();
    if (!quiet) process.stderr.write(safeText(`Wrote ${file}, ${HELD[held]}.`) + `\n${noticeOf(built, held)}`);
  } catch (error) {
    out.abandon();
    throw error;
  }
}

/** A page without the texts that it should have looks whole at first sight. */
function noticeOf({ withoutText, cases, notice }: BuiltReport, held: Texts): string {
  const lacking =
    held === 'none' || withoutText === 0 ? [] : [`No text for ${plural(withoutText, 'case')} of ${cases}`];
  const told = [...lacking, ...(notice === null ? [] : [notice])];
  return told.length === 0 ? '' : `${safeText(told.join(': '))}\n`;
}
