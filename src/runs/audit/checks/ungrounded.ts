import type { Side } from '../../../data/item.ts';
import type { Check, NewFinding } from '../check.ts';
import { Evidence } from '../evidence.ts';
import { count, counted, percent } from '../words.ts';

/** A tenth of quotes that are not in the text is no slip of the pen: quotes are paraphrased, or texts differ. */
const WARNING_PREDICTED = 0.1;
/** People copy quotes: far fewer of theirs should be off. */
const WARNING_GOLD = 0.05;
/** Less than this can be two bad cases. */
const FEWEST = 5;

/** A quote that is not in the text supports nothing, and pairing by its words is pairing by chance. */
export const ungrounded: Check = {
  name: 'ungrounded',
  about: 'quotes, predicted or gold, that are not verbatim in the text',
  open() {
    const sides = { gold: { asked: 0, not: 0 }, predicted: { asked: 0, not: 0 } };
    const evidence = { gold: new Evidence(), predicted: new Evidence() };
    return {
      add({ id, verdicts }) {
        for (const verdict of verdicts)
          for (const side of ['gold', 'predicted'] as const) {
            const item = verdict[side];
            if (item === null || item.grounded === null) continue;
            sides[side].asked += 1;
            if (item.grounded) continue;
            sides[side].not += 1;
            evidence[side].addItem({
              case: id,
              side,
              label: item.label,
              text: item.text,
              note: item.ungrounded ?? null,
            });
          }
      },
      finish: () => [
        ...finding('predicted', sides.predicted, evidence.predicted),
        ...finding('gold', sides.gold, evidence.gold),
      ],
    };
  },
};

function finding(
  side: Side,
  { asked, not }: { readonly asked: number; readonly not: number },
  evidence: Evidence,
): NewFinding[] {
  if (not === 0) return [];
  const share = side === 'gold' ? WARNING_GOLD : WARNING_PREDICTED;
  const what = side === 'gold' ? 'gold quote' : 'predicted quote';
  return [
    {
      severity: not >= FEWEST && not / asked >= share ? 'warning' : 'note',
      title: `${count(not)} of ${counted(asked, what)} (${percent(not, asked)}) ${not === 1 ? 'is' : 'are'} not verbatim in the text`,
      why:
        side === 'gold'
          ? 'No system can quote what the text does not have, so these gold items cannot be matched as they should be.'
          : 'Such a quote proves nothing, yet it can still be paired with gold by the words that it shares.',
      todo:
        side === 'gold'
          ? 'Mend the quotes in the gold file, or check that the texts are those that were annotated.'
          : 'Ask the system for verbatim quotes, or set such predictions aside (prepare: ground: { ungrounded: drop }) and compare the two scores.',
      subjects: [side],
      cases: evidence.cases,
      items: evidence.items,
    },
  ];
}
