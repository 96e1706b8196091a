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

/** What is known of the quotes of one side. */
interface Quotes {
  asked: number;
  readonly spaced: Evidence;
  readonly not: Evidence;
}

export const ungrounded: Check = {
  name: 'ungrounded',
  about: 'quotes, predicted or gold, that are not verbatim in the text',
  open() {
    const none = (): Quotes => ({ asked: 0, spaced: new Evidence(), not: new Evidence() });
    const sides: Record<Side, Quotes> = { predicted: none(), gold: none() };
    return {
      verdict(verdict, { id }) {
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
      find: () => (['predicted', 'gold'] as const).flatMap((side) => findings(side, sides[side])),
    };
  },
};

function findings(side: Side, { asked, spaced, not }: Quotes): (NewFinding | null)[] {
  const [n, spacedOnly] = [not.items.total, spaced.items.total];
  const isGold = side === 'gold';
  const share = (some: number): string =>
    `${count(some)} of ${counted(asked, `${side} quote`)} (${percent(some, asked)}) ${some === 1 ? 'is' : 'are'}`;
  const absent: NewFinding = {
    severity: n >= FEWEST && n / asked >= (isGold ? WARNING_GOLD : WARNING_PREDICTED) ? 'warning' : 'note',
    title: `${share(n)} not verbatim in the text${spacedOnly > 0 ? ', white space apart' : ''}`,
    why: isGold
      ? 'No system can quote what the text does not have, so these gold items cannot be matched as they should be.'
      : 'Such a quote proves nothing, yet it can still be paired with gold by the words that it shares.',
    todo: isGold
      ? 'Mend the quotes in the gold file, or check that the texts are those that were annotated.'
      : 'Ask the system for verbatim quotes, or set such predictions aside (prepare: ground: { ungrounded: drop }) and compare the two scores.',
    subjects: [side],
    evidence: not,
  };
  // Text that was wrapped has line breaks where a quote has spaces: ordinary, but what asks for verbatim quotes sees it.
  const wrapped: NewFinding = {
    severity: 'note',
    title: `${share(spacedOnly)} in the text but for white space, such as line breaks of wrapped text`,
    why: 'The words are there, and pairing by words takes no notice. What asks for verbatim quotes (the rule ground, evidence_coverage) takes them as not found.',
    todo: 'Nothing, unless something asks for verbatim quotes: then give the texts without line breaks inside sentences, or quote with them.',
    subjects: [side],
    evidence: spaced,
  };
  return [n === 0 ? null : absent, spacedOnly === 0 ? null : wrapped];
}
