import { wordHashes } from '../../../text/shingles.ts';
import type { AuditCase, AuditMaterial, Check, Found, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, counted, percent } from '../../../text/figures.ts';
import { CaseTexts } from './case-texts.ts';
import { ALIKE } from './duplicate-cases.ts';
import { SlightTexts } from './slight-texts.ts';

const ERROR_EQUAL = 0.01;

const WHY =
  'A system is asked again for what it was shown: the score says how well it remembers, not how well it does.';
const WHY_SLIGHT =
  'Texts with nothing to find in them, or of a few words, are met again in any data; that a system knows them helps it a little.';
const WHAT_TO_DO = 'Leave these cases out of the test set, or train without them, and score again.';

interface Leak {
  readonly train: string;
  readonly file: string;
  readonly similarity: number;
}

interface Leaked extends Leak {
  readonly id: string;
  readonly place: number;
}

/** Cases of the training data among those that are scored. */
export const trainInTest: Check = {
  name: 'train-in-test',
  about: 'cases whose text the system may have been trained on',
  needs: ['texts', 'train'],
  open(context) {
    const texts = CaseTexts.of(context);
    const slight = new SlightTexts();
    const { near, ids } = texts;
    return {
      add(given: AuditCase): void {
        if (texts.add(given)) slight.add(given, texts);
      },
      async finish({ train }: AuditMaterial): Promise<Found> {
        if (train === null) return { skipped: 'no training cases were given' };
        const leaks = new Map<number, Leak>();
        let trained = 0;
        for await (const given of train) {
          const words = given.text === null ? null : wordHashes(given.text);
          if (words === null || words.length === 0) continue;
          trained += 1;
          const found = near.match(words, ALIKE);
          if (found === null || (leaks.get(found.place)?.similarity ?? 0) >= found.similarity) continue;
          leaks.set(found.place, { train: given.id, file: given.file, similarity: found.similarity });
        }
        if (trained === 0) return { skipped: 'no training case has a text' };
        for (const places of near.equal()) {
          const leak = leaks.get(places[0]!);
          if (leak !== undefined) for (const place of places) leaks.set(place, leak);
        }
        const sorted = [...leaks]
          .sort(([a], [b]) => a - b)
          .map(([place, leak]): Leaked => ({ place, id: ids[place]!, ...leak }));
        const among = { slight, all: ids.length, trained };
        return [
          ...leaked(
            sorted.filter(({ similarity }) => similarity === 1),
            among,
            true,
          ),
          ...leaked(
            sorted.filter(({ similarity }) => similarity < 1),
            among,
            false,
          ),
        ];
      },
    };
  },
};

function leaked(
  leaks: readonly Leaked[],
  { slight, all, trained }: { readonly slight: SlightTexts; readonly all: number; readonly trained: number },
  isEqual: boolean,
): NewFinding[] {
  if (leaks.length === 0) return [];
  const evidence = new Evidence();
  for (const { id, train, file, similarity } of leaks) {
    const note = isEqual ? `equal to ${train} of ${file}` : `${percent(similarity, 1)} like ${train} of ${file}`;
    evidence.addItem({ case: id, side: null, label: null, text: '', note });
  }
  const { counting, said } = slight.among(leaks.map(({ place }) => place));
  return [
    {
      severity: counting === 0 ? 'note' : isEqual && counting >= ERROR_EQUAL * all ? 'error' : 'warning',
      title: `${count(leaks.length)} of ${counted(all, 'case')} (${percent(leaks.length, all)}) ${leaks.length === 1 ? 'has' : 'have'} ${isEqual ? 'the text' : 'nearly the text'} of one of ${counted(trained, 'training case')}${said}`,
      why: counting === 0 ? WHY_SLIGHT : WHY,
      todo: WHAT_TO_DO,
      subjects: [...new Set(leaks.map(({ file }) => file))].sort(),
      cases: evidence.cases,
      items: evidence.items,
    },
  ];
}
