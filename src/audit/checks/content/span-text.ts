import type { Item, ItemKind, Side } from '../../../data/item.ts';
import { offsetMap, type OffsetUnit } from '../../../text/offsets.ts';
import type { Span } from '../../../text/span.ts';
import { type SpanFit, SpanFitter } from '../../../text/span-fit.ts';
import type { AuditCase, Check, CheckContext, Found, NewFinding } from '../../check.ts';
import { Evidence, ITEMS_SHOWN } from '../../evidence.ts';
import type { Finding } from '../../finding.ts';
import { stringAt } from '../../recipe-parts.ts';
import { count, counted, percent } from '../../../text/figures.ts';
import { itemsOf } from './case-items.ts';

const SPANS: ReadonlySet<ItemKind> = new Set<ItemKind>(['span']);
const ERROR_SHARE = 0.05;
const LEAST = 3;
/** A fault that shows in so many places is known. */
const MOST_LOOKED_AT = 500;

const UNIT_NAMES: Readonly<Record<OffsetUnit, string>> = {
  utf16: 'UTF-16 units',
  codepoint: 'characters (code points)',
  byte: 'UTF-8 bytes',
};

/** A span whose place and text disagree is compared at a place that nobody meant. */
export const spanText: Check = {
  name: 'span-text',
  about: 'spans whose text is not what the case has at their place',
  open(context) {
    const sides = { gold: new BadSpans('gold', context), predicted: new BadSpans('predicted', context) };
    return {
      add(given) {
        sides.gold.add(given);
        sides.predicted.add(given);
      },
      finish(): Found {
        const { gold, predicted } = sides;
        if (gold.spans + predicted.spans === 0) return { skipped: 'there are no spans' };
        if (gold.checked + predicted.checked === 0) return { skipped: 'no span has a text and a place in a text' };
        return [...gold.findings(), ...predicted.findings()];
      },
    };
  },
};

class BadSpans {
  spans = 0;
  checked = 0;
  #bad = 0;
  readonly #side: Side;
  readonly #unit: OffsetUnit;
  readonly #fitter: SpanFitter;
  #lookedAt = 0;
  /** How many spans each explanation explains; a span may count for several. */
  readonly #fits = new Map<string, number>();
  /** The explanations of the items that are shown. */
  readonly #shown: (readonly string[])[] = [];
  readonly #evidence = new Evidence();

  constructor(side: Side, { recipe }: CheckContext) {
    this.#side = side;
    const unit = stringAt(recipe['data'], 'offsets');
    this.#unit = unit === 'utf16' || unit === 'byte' ? unit : 'codepoint';
    this.#fitter = new SpanFitter(this.#unit);
  }

  add(given: AuditCase): void {
    const { id, text, failed } = given;
    if (failed !== null) return;
    for (const item of itemsOf(given, this.#side, SPANS)) {
      this.spans += 1;
      const place = this.#badPlace(item, text);
      if (place === null) continue;
      this.#bad += 1;
      const fits = text === null ? [] : this.#fitsOf(text, item, place);
      for (const said of fits) this.#fits.set(said, (this.#fits.get(said) ?? 0) + 1);
      if (this.#shown.length < ITEMS_SHOWN) this.#shown.push(fits);
      const note = item.refused?.because ?? null;
      this.#evidence.addItem({ case: id, side: this.#side, label: item.label, text: item.text, note });
    }
  }

  findings(): NewFinding[] {
    if (this.#bad === 0) return [];
    // Of explanations that explain as many the one that was met first.
    const [first] = [...this.#fits].sort(([, a], [, b]) => b - a);
    const isOneFault = first !== undefined && first[1] >= LEAST && first[1] >= this.#lookedAt / 2;
    const isMany = this.#bad >= LEAST && this.#bad >= ERROR_SHARE * this.checked;
    const isGold = this.#side === 'gold';
    return [
      {
        severity: isGold || isOneFault || isMany ? 'error' : 'warning',
        title: `${count(this.#bad)} of ${counted(this.checked, isGold ? 'gold span' : 'predicted span')} (${percent(this.#bad, this.checked)}) do not have the text that stands at their place${first === undefined ? '' : `; ${this.#lookedAt < this.#bad ? `of ${count(this.#lookedAt)} that were looked at, ` : ''}${count(first[1])} would fit if ${first[0]}`}`,
        why: isGold
          ? 'Predictions are compared with places that nobody marked: right ones are called wrong.'
          : 'Such predictions count as spurious, or at a place that the system did not mean: a fault of offsets looks like a fault of the system.',
        todo: isOneFault
          ? 'Mend the offsets as said, or, where only their unit is another, read them in it (data.offsets), and score again.'
          : 'Mend the offsets where the spans are made; texts may have been changed after they were marked.',
        subjects: [],
        cases: this.#evidence.cases,
        items: this.#items(first?.[0] ?? null),
      },
    ];
  }

  #fitsOf(text: string, item: Item, place: Span): string[] {
    if (this.#lookedAt >= MOST_LOOKED_AT) return [];
    this.#lookedAt += 1;
    return this.#fitter.fits(text, item.text, place).map(wordsOf);
  }

  /** With what would make each fit: what explains most, else what comes first. */
  #items(first: string | null): Finding['items'] {
    const { total, shown } = this.#evidence.items;
    return {
      total,
      shown: shown.map((item, at) => {
        const fits = this.#shown[at] ?? [];
        const said = first !== null && fits.includes(first) ? first : fits[0];
        return said === undefined ? item : { ...item, note: `would fit if ${said}` };
      }),
    };
  }

  /** Where a span that does not fit said that it lies, in the unit of the files; null where it fits or cannot be checked. */
  #badPlace(item: Item, text: string | null): Span | null {
    if (item.refused !== undefined) {
      this.checked += 1;
      return { start: item.refused.start, end: item.refused.end };
    }
    // Rules that put several into one may make a text that was never a slice.
    if (text === null || item.start < 0 || item.text === '' || item.parts !== null) return null;
    this.checked += 1;
    if (text.slice(item.start, item.end) === item.text) return null;
    if (this.#unit === 'utf16' || this.#bad >= MOST_LOOKED_AT) return { start: item.start, end: item.end };
    const map = offsetMap(text, this.#unit);
    return { start: map.fromUtf16(item.start), end: map.fromUtf16(item.end) };
  }
}

function wordsOf(fit: SpanFit): string {
  if (fit.kind === 'unit') return `offsets were ${UNIT_NAMES[fit.unit]}`;
  if (fit.kind === 'breaks')
    return fit.length === 2
      ? 'line breaks counted as two characters (CR LF) instead of one'
      : 'line breaks counted as one character instead of two (CR LF)';
  if (fit.kind === 'spelling') return 'upper and lower case and white space did not count';
  const { start, end } = fit;
  if (start === 0 && end === 1) return 'the end were the last character instead of the one after it';
  if (start === -1 && end === -1) return 'offsets were counted from 1';
  if (start === -1 && end === 0) return 'offsets were counted from 1 and the end were the last character';
  if (start === end) return `both offsets were ${Math.abs(start)} ${start > 0 ? 'more' : 'less'}`;
  const one = (by: number, name: string): string[] =>
    by === 0 ? [] : [`the ${name} were ${Math.abs(by)} ${by > 0 ? 'more' : 'less'}`];
  return [...one(start, 'start'), ...one(end, 'end')].join(' and ');
}
