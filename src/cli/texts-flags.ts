import type { Texts } from '../report.ts';
import * as flag from './flags.ts';

/** What report.html of a run folder includes, alike in every command that writes one. */
export const TEXTS_FLAGS = {
  texts: flag.choice(['full', 'redacted', 'none'], '<how>', 'how much of the texts report.html includes', 'full'),
  report: flag.switchOff('write no report.html'),
};

export interface TextsFlags {
  readonly texts?: Texts;
  readonly report?: boolean;
}

export function textsOf({ texts = 'full', report }: TextsFlags): Texts | 'off' {
  return report === false ? 'off' : texts;
}
