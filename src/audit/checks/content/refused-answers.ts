import type { ItemKind } from '../../../data/item.ts';
import { count, levelText, percent } from '../../../text/figures.ts';
import type { AuditCheck } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { isRefusal } from './refusal.ts';

const TEXTS: readonly ItemKind[] = ['answer', 'summary'];
/** Some questions are refused by right; from here on the figures are as much about refusing as about answering. */
const LIMITS = { warning: { share: 0.1, fewest: 3 }, error: { share: 0.5, fewest: 5 } };

export const refusedAnswers: AuditCheck = {
  name: 'refused-answers',
  about: 'answers and summaries that only decline ("I\'m sorry, I can\'t help"), in seven languages',
  severity: `Warning: ${levelText(LIMITS.warning.share)} (${LIMITS.warning.fewest}+); error: ${levelText(LIMITS.error.share)} (${LIMITS.error.fewest}+)`,
  scoredOnly: true,
  open({ keep }) {
    const seen = keep({ all: 0 });
    const evidence = keep(new Evidence());
    return {
      kinds: TEXTS,
      verdict({ predicted }, { case: id }) {
        if (predicted === null) return;
        seen.all += 1;
        const { text, label } = predicted;
        if (isRefusal(text)) evidence.addItem({ case: id, side: 'predicted', label, text, note: null });
      },
      find() {
        const [refused, { all }] = [evidence.items.total, seen];
        const reaches = ({ share, fewest }: (typeof LIMITS)['error']): boolean =>
          refused >= fewest && refused >= share * all;
        if (!reaches(LIMITS.warning)) return null;
        return {
          severity: reaches(LIMITS.error) ? 'error' : 'warning',
          title: `${count(refused)} of ${count(all)} answers (${percent(refused, all)}) only decline to answer`,
          words: 'refused-answers/declined',
          evidence,
        };
      },
    };
  },
};
