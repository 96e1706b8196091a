import { baselineText } from '../report/baseline-text.ts';
import type { Style } from '../report/style.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import type { Run } from '../score/run.ts';
import type { ExportFlags, exportsOf } from './named-exporters.ts';
import { type BaselineFlags, setBesideBaseline } from './score-baseline.ts';
import type { SourceFlags } from './scored-sources.ts';

export interface ScoreFlags extends SourceFlags, BaselineFlags, ExportFlags {
  readonly out?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

export type Exported = ReturnType<typeof exportsOf>['options'];

/** Where a command that may print JSON says the rest. */
export function outputOf({ json, quiet }: ScoreFlags): { readonly style: Style; readonly say: (text: string) => void } {
  const stream = json === true ? process.stderr : process.stdout;
  return { style: terminalStyle(stream), say: (text) => void (quiet === true || stream.write(text)) };
}

/** `system` is named where there are several. */
export async function sayBaseline({ folder }: Run, system: string | null, flags: ScoreFlags): Promise<void> {
  if (flags.baseline === undefined) return;
  const { style, say } = outputOf(flags);
  const comparison = await setBesideBaseline(folder, flags.baseline, flags);
  say(baselineText(comparison, style, flags.force === true, system));
}
