import type { ItemKind } from '../../../data/item.ts';
import type { AuditCase, Check, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import type { Severity } from '../../finding.ts';
import { count, percent } from '../../../text/figures.ts';
import { TELLING_KINDS } from './case-items.ts';
import { expectedEmpty } from './expected-empty.ts';

/** Kinds that are a text of the system's own. */
const FREE_TEXT = ['answer', 'summary'] as const;
const PLURAL: Readonly<Record<(typeof FREE_TEXT)[number], string>> = { answer: 'answers', summary: 'summaries' };
export const EMPTY_TEXTS = { warning: { share: 0.1, fewest: 3 }, error: { share: 0.5, fewest: 5 } };
/** A list may be empty by right, or because a weak system found nothing: so many are not ordinary. */
export const EMPTY_LISTS = { note: 0.3, warning: 0.5, error: 0.9, fewest: 5, fewestUntold: 20 };
/** Empty lists must be so many times those that the system's ordinary misses would leave. */
const CLEARLY_MORE = 2;
/** A letter, a digit or a sign that means something, such as an emoji. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}]/u;

/** An empty answer is quick, short and never wrong in what it says: some figures are the better for it. */
export const emptyAnswers: Check = {
  name: 'empty-answers',
  about: 'answers and summaries that are empty, and lists of items that are empty where gold has some',
  open() {
    const texts = FREE_TEXT.map((kind) => new EmptyTexts(kind));
    const lists = new EmptyLists();
    return {
      add(given) {
        if (given.failed !== null) return;
        for (const own of texts) own.add(given);
        lists.add(given);
      },
      finish: () => [...texts.flatMap((own) => own.findings()), ...lists.findings()],
    };
  },
};

class EmptyTexts {
  readonly #kind: (typeof FREE_TEXT)[number];
  readonly #evidence = new Evidence();
  #all = 0;
  #blank = 0;

  constructor(kind: (typeof FREE_TEXT)[number]) {
    this.#kind = kind;
  }

  add({ id, verdicts }: AuditCase): void {
    for (const { kind, verdict, predicted } of verdicts) {
      // A summary that failed counts as a failure, which is what it is.
      if (kind !== this.#kind || predicted === null || verdict === 'spurious') continue;
      this.#all += 1;
      const { text, label, fields } = predicted;
      if (SAYS_SOMETHING.test(text) || wasLonger(fields['summary_ctu'])) continue;
      if (text.trim() === '') this.#blank += 1;
      const note = text === '' ? 'no text' : text.trim() === '' ? 'only white space' : 'no letter and no digit';
      this.#evidence.addItem({ case: id, side: 'predicted', label, text, note });
    }
  }

  findings(): NewFinding[] {
    const { cases, items } = this.#evidence;
    const [empty, all] = [items.total, this.#all];
    const reaches = ({ share, fewest }: (typeof EMPTY_TEXTS)['error']): boolean =>
      empty >= fewest && empty >= share * all;
    if (!reaches(EMPTY_TEXTS.warning)) return [];
    const isAnswer = this.#kind === 'answer';
    return [
      {
        severity: reaches(EMPTY_TEXTS.error) ? 'error' : 'warning',
        title: `${count(empty)} of ${count(all)} ${PLURAL[this.#kind]} (${percent(empty, all)}) are empty${this.#blank === empty ? '' : ' or have neither a letter nor a digit'}`,
        why: isAnswer
          ? 'They are averaged as answers. What asks how much of the right thing is said falls, what asks for faults, length or time looks good, and what needs words leaves them out.'
          : 'They are averaged as summaries: what says nothing is short and claims nothing false, so compression and support look superb.',
        todo: `Find out what made them: a call that failed without saying so, a field of another name, an answer cut off. Run these cases again, or count them as failed${isAnswer ? '' : ' (schema_ok: false)'}.`,
        subjects: [PLURAL[this.#kind]],
        cases,
        items,
      },
    ];
  }
}

/** Whether a summary had words when it was counted: logs may be kept without them. An empty one has 1 CTU. */
function wasLonger(ctu: unknown): boolean {
  return typeof ctu === 'number' && ctu > 1;
}

/** Cases with gold that were answered with an empty list. */
class EmptyLists {
  readonly #evidence = new Evidence();
  /** By how many gold items they have: all answered cases, and what cases with a hit miss of them. */
  readonly #sizes = new Map<number, number>();
  readonly #met = new Map<number, { cases: number; missed: number }>();
  #answered = 0;

  add({ id, answered, verdicts }: AuditCase): void {
    // Without any record of an answer, the check `dropped` says so.
    if (!answered) return;
    let [hits, missed, predicted] = [0, 0, 0];
    for (const own of verdicts) {
      if (!isTelling(own.kind)) continue;
      if (own.predicted !== null) predicted += 1;
      if (own.verdict === 'hit') hits += 1;
      else if (own.verdict === 'missed') missed += 1;
    }
    const gold = hits + missed;
    if (gold === 0) return;
    this.#answered += 1;
    this.#sizes.set(gold, (this.#sizes.get(gold) ?? 0) + 1);
    if (hits > 0) {
      const met = this.#met.get(gold) ?? { cases: 0, missed: 0 };
      this.#met.set(gold, { cases: met.cases + 1, missed: met.missed + missed });
    }
    if (predicted === 0) this.#evidence.addCase(id);
  }

  findings(): NewFinding[] {
    const { cases, items } = this.#evidence;
    const [empty, all] = [cases.total, this.#answered];
    // Where all are empty nothing was measured, and another check says that.
    if (empty < EMPTY_LISTS.fewest || empty === all || empty < EMPTY_LISTS.note * all) return [];
    const expected = expectedEmpty(this.#sizes, this.#met);
    const severity = severityOf(empty, all, expected);
    if (severity === null) return [];
    return [
      {
        severity,
        title: `${count(empty)} of ${count(all)} cases with gold (${percent(empty, all)}) were answered with an empty list${expected === null ? '' : `; at the rate at which items are missed in the other cases there would be ${count(Math.ceil(expected))} at most`}`,
        why: 'All gold of these cases is missed at once, which is not how a system misses: recall is as much about what emptied the lists as about what the system can find, and precision knows nothing of them.',
        todo: 'Look at what the system gave for these cases: a call that failed without saying so, an answer that could not be read, a field of another name. Run them again, or count them as failed.',
        subjects: ['items'],
        cases,
        items,
      },
    ];
  }
}

/** Where nobody can tell how many there would be by ordinary misses, only nearly all of them are worth a warning. */
function severityOf(empty: number, all: number, expected: number | null): Severity | null {
  const share = empty / all;
  if (expected === null) return share >= EMPTY_LISTS.error && empty >= EMPTY_LISTS.fewestUntold ? 'warning' : null;
  if (empty < CLEARLY_MORE * expected) return null;
  return share >= EMPTY_LISTS.error ? 'error' : share >= EMPTY_LISTS.warning ? 'warning' : 'note';
}

function isTelling(kind: ItemKind): boolean {
  return TELLING_KINDS.has(kind);
}
