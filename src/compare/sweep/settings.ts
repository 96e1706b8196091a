import type { Plan } from '../../recipe/plan.ts';
import { USUAL_GROUPS_ABOVE } from '../../stats/in-groups.ts';
import type { PairedSettings } from '../../stats/paired-comparison.ts';
import { USUAL_RESAMPLES } from '../../stats/resample-settings.ts';

/** How paired differences are resampled: as the recipe says, or as usual where it asks for no intervals. */
export function pairedSettings(interval: Plan['interval']): PairedSettings {
  if (interval === null) return { ...USUAL_RESAMPLES, method: 'percentile', groupsAbove: USUAL_GROUPS_ABOVE };
  const { method, resamples, level, seed, groupsAbove } = interval;
  return { method, resamples, level, seed, groupsAbove };
}
