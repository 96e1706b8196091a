import type { Run } from '../../score/run.ts';
import { signatureDifferences } from '../signature-differences.ts';

/** What keeps later runs from being repeats of the first, one sentence each; none when they are. */
export function differencesOf(runs: readonly Run[]): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  return others.flatMap((other) => {
    const apart = signatureDifferences(first.manifest, other.manifest);
    return apart.length === 0 ? [] : [`${other.folder} is no repeat of ${first.folder}: ${apart.join('; ')}`];
  });
}
