import type { Side } from '../../data/item.ts';
import { count, counted, percent } from '../../text/figures.ts';
import type { Check, NewFinding } from '../check.ts';
import { Evidence } from '../evidence.ts';

/** A tenth of quotes that are not in the text is no slip of the pen: quotes are paraphrased, or texts differ. */
const WARNING_PREDICTED = 0.1;
/** People copy quotes: far fewer of theirs should be off. */
const WARNING_GOLD = 0.05;
/** Less than this can be two bad cases. */
const FEWEST = 5;
/** As the rule `ground` says it of quotes whose words are all there: wrapped lines, double spaces. */
const WHITE_SPACE = 'in the text but for white space';

export const ungrounded: Check = {
  name: 'ungrounded',
  about: 'quotes, predicted or gold, that are not verbatim in the text',
  open() {
    const none = () => ({ asked: 0, spaced: new Evidence(), not: new Evidence() });
    const sides = { predicted: none(), gold: none() };
    return {
      verdict(verdict, { case: id }) {
        for (const side of ['gold', 'predicted'] as const) {
          const item = verdict[side];
          if (item === null || item.grounded === null) continue;
          sides[side].asked += 1;
          if (item.grounded) continue;
          const note = item.ungrounded ?? null;
          const evidence = sides[side][note === WHITE_SPACE ? 'spaced' : 'not'];
          evidence.addItem({ case: id, side, label: item.label, text: item.text, note });
        }
      },
      find: () => (['predicted', 'gold'] as const).flatMap((side) => findings({ side, ...sides[side] })),
    };
  },
};

function findings({ side, asked, spaced, not }: { side: Side; asked: number; spaced: Evidence; not: Evidence }) {
  const [n, spacedOnly] = [not.items.total, spaced.items.total];
  const share = (some: number): string =>
    `${count(some)} of ${counted(asked, `${side} quote`)} (${percent(some, asked)}) ${some === 1 ? 'is' : 'are'}`;
  const isMany = n >= FEWEST && n / asked >= (side === 'gold' ? WARNING_GOLD : WARNING_PREDICTED);
  const absent: NewFinding = {
    severity: isMany ? 'warning' : 'note',
    title: `${share(n)} not verbatim in the text${spacedOnly > 0 ? ', white space apart' : ''}`,
    words: `ungrounded/${side}`,
    subjects: [side],
    evidence: not,
  };
  // Text that was wrapped has line breaks where a quote has spaces: ordinary, but what asks for verbatim quotes sees it.
  const wrapped: NewFinding = {
    severity: 'note',
    title: `${share(spacedOnly)} in the text but for white space, such as line breaks of wrapped text`,
    words: 'ungrounded/wrapped',
    subjects: [side],
    evidence: spaced,
  };
  return [n === 0 ? null : absent, spacedOnly === 0 ? null : wrapped];
}
