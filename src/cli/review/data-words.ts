import { shellWord } from '../../report/shell-word.ts';
import type { StoreFlags } from './review-store.ts';

/** What a command that is printed needs of --data, to work when it is pasted; '' where the usual folder was meant. */
export function dataWords({ data }: StoreFlags): string {
  return data === undefined ? '' : ` --data ${shellWord(data)}`;
}
