import type { Case } from '../../data/case.ts';
import type { Item, Side } from '../../data/item.ts';
import { VERDICTS, type VerdictKind } from '../../judge/verdict.ts';
import { compareKeys, type Fate, type Fates } from './item-fates.ts';
import type { Move, Moves } from './waterfall.ts';

const MOST_SHOWN = 50;
const LONGEST_TEXT = 200;

/** What one step did to the items, added up case by case. */
export class StepMoves {
  readonly #by = new Map<string, { side: Side; from: VerdictKind | null; to: VerdictKind | null; n: number }>();
  readonly #shown: Move[] = [];
  #total = 0;

  add(id: string, given: Case, before: Fates, after: Fates): void {
    const moved: number[] = [];
    for (const [key, fate] of before) if (after.get(key)?.verdict.verdict !== fate.verdict.verdict) moved.push(key);
    for (const key of after.keys()) if (!before.has(key)) moved.push(key);
    for (const key of moved.sort(compareKeys)) this.#count(id, given, before.get(key) ?? null, after.get(key) ?? null);
  }

  result(): Moves {
    const place = (kind: VerdictKind | null): number => (kind === null ? -1 : VERDICTS.indexOf(kind));
    const by = [...this.#by.values()].sort(
      (a, b) =>
        (a.side === b.side ? 0 : a.side === 'gold' ? -1 : 1) ||
        place(a.from) - place(b.from) ||
        place(a.to) - place(b.to),
    );
    return { total: this.#total, by, shown: this.#shown };
  }

  #count(id: string, given: Case, before: Fate | null, after: Fate | null): void {
    const fate = after ?? before;
    if (fate === null) return;
    const { kind, side, index } = fate;
    const from = before?.verdict.verdict ?? null;
    const to = after?.verdict.verdict ?? null;
    const key = `${side} ${from ?? ''} ${to ?? ''}`;
    const known = this.#by.get(key);
    if (known === undefined) this.#by.set(key, { side, from, to, n: 1 });
    else known.n += 1;
    this.#total += 1;
    if (this.#shown.length >= MOST_SHOWN) return;
    const { label, text } = shownItem(fate, given);
    this.#shown.push({
      case: id,
      kind,
      side,
      index,
      label,
      text: cut(text),
      from,
      to,
      rule: after?.verdict.rule ?? null,
    });
  }
}

/** Of one that was merged with others its own words, under the label of the whole. */
function shownItem({ kind, side, index, item }: Fate, given: Case): Pick<Item, 'label' | 'text'> {
  if (item.parts === null) return item;
  const own = given[side].find((one) => one.kind === kind && one.index === index);
  return { label: item.label, text: own?.text ?? item.text };
}

function cut(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return `${text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
