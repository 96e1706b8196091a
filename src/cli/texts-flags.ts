import { type Command, Option } from 'commander';

import type { Texts } from '../report/html/report-data.ts';

export interface TextsFlags {
  readonly texts?: Texts;
  readonly report?: boolean;
}

/** What report.html of a run folder holds, alike in every command that makes one. */
export function textsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--texts <how>', 'what report.html holds of the texts: all, their shape only, nothing')
        .choices(['full', 'redacted', 'none'])
        .default('full'),
    )
    .option('--no-report', 'write no report.html');
}

export function textsOf({ texts = 'full', report }: TextsFlags): Texts | 'off' {
  return report === false ? 'off' : texts;
}
