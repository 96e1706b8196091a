import type { SpanPairing } from '../../columns/span-pairs.ts';
import type { PairedSpans } from '../../columns/span-reasons.ts';
import type { Case } from '../../data/case.ts';
import { type Foldable, FoldState } from '../../data/fold-state.ts';
import { type ItemKind, PAIRED_KINDS, type Side, SIDES } from '../../data/item.ts';
import type { SpanCase } from '../../data/span-case.ts';
import { END, INDEX, LABEL, START } from '../../data/span-list.ts';
import { shorten } from '../../data/visible.ts';
import { type Verdict, type VerdictKind, VERDICTS } from '../../judge/verdict.ts';
import type { Move, Moves } from './waterfall.ts';

/** The verdict on each item, by kind, side and index in one number. */
type Fates = ReadonlyMap<number, Verdict>;

const KIND_PLACES: ReadonlyMap<ItemKind, number> = new Map(PAIRED_KINDS.map((kind, at) => [kind, at]));
const KINDS = PAIRED_KINDS.length * SIDES.length;

/**
 * The verdict on each item of one case as the files have it: those merged into one share its verdict. Stretches of text
 * that no file names are left out. An item that several verdicts name is a hit where one of them is.
 */
export function fatesOf(verdicts: readonly Verdict[]): Fates {
  const fates = new Map<number, Verdict>();
  for (const verdict of verdicts) {
    const kind = KIND_PLACES.get(verdict.kind);
    if (kind === undefined) continue;
    for (let at = 0; at < SIDES.length; at += 1) {
      const item = verdict[SIDES[at]!];
      if (item === null || item.index < 0) continue;
      for (const part of item.parts ?? [item.index]) {
        const key = part * KINDS + kind * SIDES.length + at;
        if (verdict.verdict === 'hit' ? fates.get(key)?.verdict !== 'hit' : !fates.has(key)) fates.set(key, verdict);
      }
    }
  }
  return fates;
}

const MOST_SHOWN = 50;
const LONGEST_TEXT = 200;
const FATES = [null, ...VERDICTS];

/** What one step did to the items, added up case by case. */
export class StepMoves implements Foldable {
  readonly #state = new FoldState();
  readonly #counts = this.#state.keep(new Map<string, number>());
  readonly #shown = this.#state.keep<Move[]>([]);
  readonly #all = this.#state.keep({ total: 0 });

  save(): unknown {
    return this.#state.save();
  }

  merge(saved: unknown): void {
    this.#state.merge(saved);
  }

  add(id: string, given: Case, before: Fates, after: Fates): void {
    let moved: number[] | null = null;
    for (const [key, { verdict }] of before) if (after.get(key)?.verdict !== verdict) (moved ??= []).push(key);
    // As many and none of them gone: then none is new either.
    if (moved === null && before.size === after.size) return;
    moved ??= [];
    for (const key of after.keys()) if (!before.has(key)) moved.push(key);
    // By kind, gold before predicted, then as the file lists them.
    for (const key of moved.sort((a, b) => (a % KINDS) - (b % KINDS) || a - b)) {
      const [from, to] = [before.get(key), after.get(key)];
      const isShown = this.#count(SIDES[key % SIDES.length]!, from?.verdict, to?.verdict);
      if (isShown) this.#shown.push(moveOf(id, given, key, from, to));
    }
  }

  /** The same for plain spans, in columns; `linkRule` is that of the plan after the step. */
  addSpans(given: SpanCase, before: SpanPairing, after: PairedSpans, linkRule: string | null): void {
    for (const side of SIDES) {
      const { [side]: list } = given.spans;
      const [partners, others] = [before[side], after.pairing[side]];
      let moved: number[] | null = null;
      for (let at = 0; at < list.count; at += 1) if (partners[at]! < 0 !== others[at]! < 0) (moved ??= []).push(at);
      const alone = side === 'gold' ? 'missed' : 'spurious';
      const links = side === 'gold' ? after.pairing.linkedGold : after.pairing.linkedPredicted;
      for (const at of (moved ?? []).sort((a, b) => list.get(a, INDEX) - list.get(b, INDEX))) {
        const [from, to] = partners[at]! < 0 ? ([alone, 'hit'] as const) : (['hit', alone] as const);
        if (!this.#count(side, from, to)) continue;
        const aloneBy = linkRule !== null && links[at]! >= 0 ? linkRule : 'no-match';
        this.#shown.push({
          case: given.id,
          kind: 'span',
          side,
          index: list.get(at, INDEX),
          label: list.labels[list.get(at, LABEL)]!,
          text: shorten(given.text.slice(list.get(at, START), list.get(at, END)), LONGEST_TEXT),
          from,
          to,
          rule: to === 'hit' ? after.scheme.rule : aloneBy,
        });
      }
    }
  }

  /** Counts a move; returns whether it is one of those to be shown. */
  #count(side: Side, from: VerdictKind | undefined, to: VerdictKind | undefined): boolean {
    const way = [side, from, to].join(' ');
    this.#counts.set(way, (this.#counts.get(way) ?? 0) + 1);
    this.#all.total += 1;
    return this.#shown.length < MOST_SHOWN;
  }

  result(): Moves {
    const ways = SIDES.flatMap((side) => FATES.flatMap((from) => FATES.map((to) => ({ side, from, to }))));
    const by = ways.map((way) => ({ ...way, n: this.#counts.get([way.side, way.from, way.to].join(' ')) ?? 0 }));
    // Of parts that were merged each has its first ones.
    const shown = this.#shown.slice(0, MOST_SHOWN);
    return { total: this.#all.total, by: by.filter(({ n }) => n > 0), shown };
  }
}

function moveOf(id: string, given: Case, key: number, before: Verdict | undefined, after: Verdict | undefined): Move {
  const side = SIDES[key % SIDES.length]!;
  const index = Math.floor(key / KINDS);
  const { kind, [side]: item } = (after ?? before)!;
  // Of one that was merged with others its own words, under the label of the whole.
  const part = item!.parts === null ? null : given[side].find((one) => one.kind === kind && one.index === index);
  return {
    case: id,
    kind,
    side,
    index,
    label: item!.label,
    text: shorten(part?.text ?? item!.text, LONGEST_TEXT),
    from: before?.verdict ?? null,
    to: after?.verdict ?? null,
    rule: after?.rule ?? null,
  };
}
