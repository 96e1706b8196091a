import type { Item, ItemKind, Side } from '../../../data/item.ts';
import { count, plural, percent, levelText } from '../../../text/figures.ts';
import { offsetMap } from '../../../text/offsets.ts';
import type { Span } from '../../../text/span.ts';
import { spanFitter } from '../../../text/span-fit.ts';
import type { AuditCheck, NewFinding, OpenContext } from '../../check.ts';
import { addTo, Evidence, ITEMS_SHOWN } from '../../evidence.ts';
import { offsetUnit } from '../../recipe-parts.ts';
import type { AuditCase } from '../../audit-case.ts';

const SPANS: ReadonlySet<ItemKind> = new Set<ItemKind>(['span']);
const ERROR_SHARE = 0.05;
const LEAST = 3;
/** A fault that shows in so many places is known. */
const MOST_LOOKED_AT = 500;

export const spanText: AuditCheck = {
  name: 'span-text-mismatch',
  about: 'spans whose text is not at their place',
  severity: `Error: gold, one fault that explains half (${LEAST}+), or ${levelText(ERROR_SHARE)} of the spans (${LEAST}+); otherwise a warning`,
  scoredOnly: true,
  open(context) {
    const sides = [badSpans('gold', context), badSpans('predicted', context)];
    return {
      case(given) {
        for (const side of sides) side.add(given);
      },
      // Each was found in its place.
      spans({ gold, predicted }) {
        sides[0]!.addFitting(gold.count);
        sides[1]!.addFitting(predicted.count);
      },
      find() {
        if (sides.every(({ looked }) => looked.spans === 0)) return { skipped: 'there are no spans' };
        if (sides.every(({ looked }) => looked.checked === 0))
          return { skipped: 'no span has a text and a place in a text' };
        return sides.map((side) => side.finding());
      },
    };
  },
};

function badSpans(side: Side, { recipe, index, keep }: OpenContext) {
  const unit = offsetUnit(recipe, side);
  const fitsOf = spanFitter(unit);
  const looked = keep({ spans: 0, checked: 0 });
  /** The explanations of the spans that were looked at; and of the items that are shown. A span may have several. */
  const fitted = keep<(readonly string[])[]>([]);
  const shown = keep<(readonly string[])[]>([]);
  const evidence = keep(new Evidence());

  /** The given place of a span that does not fit, in the unit of the files; null if it fits or cannot be checked. */
  const badPlace = ({ text: own, start, end, parts, refused, fragments }: Item, text: string | null): Span | null => {
    // Rules that put several into one may make a text that was never a slice; that of pieces is checked on reading.
    const isUncheckable = text === null || start < 0 || own === '' || parts !== null || fragments !== undefined;
    if (refused === undefined && isUncheckable) return null;
    looked.checked += 1;
    if (refused !== undefined) return { start: refused.start, end: refused.end };
    if (text === null || (own.length === end - start && text.startsWith(own, start))) return null;
    if (unit === 'utf16' || fitted.length >= MOST_LOOKED_AT) return { start, end };
    const map = offsetMap(text, unit);
    return { start: map.fromUtf16(start), end: map.fromUtf16(end) };
  };
  return {
    looked,
    addFitting(spans: number): void {
      looked.spans += spans;
      looked.checked += spans;
    },
    add({ case: id, text }: AuditCase): void {
      for (const item of index.items(side, SPANS)) {
        looked.spans += 1;
        const place = badPlace(item, text);
        if (place === null) continue;
        const isFitted = text !== null && fitted.length < MOST_LOOKED_AT;
        const fits = isFitted ? fitsOf(text, item.text, place) : [];
        if (isFitted) fitted.push(fits);
        if (shown.length < ITEMS_SHOWN) shown.push(fits);
        const note = item.refused?.because ?? null;
        evidence.addItem({ case: id, side, label: item.label, text: item.text, note });
      }
    },
    finding(): NewFinding | null {
      const { cases, items } = evidence;
      const [bad, { checked }] = [items.total, looked];
      if (bad === 0) return null;
      // Of several parts there may be more.
      const counted = fitted.slice(0, MOST_LOOKED_AT);
      const explained = new Map<string, number>();
      for (const fits of counted) for (const said of fits) addTo(explained, said);
      // Of explanations that explain as many the one that was met first.
      const [first] = [...explained].sort(([, a], [, b]) => b - a);
      const isOneFault = first !== undefined && first[1] >= LEAST && first[1] >= counted.length / 2;
      const isMany = bad >= LEAST && bad >= ERROR_SHARE * checked;
      const isGold = side === 'gold';
      const fit = `; ${counted.length < bad ? `of ${count(counted.length)} that were looked at, ` : ''}${count(first?.[1] ?? 0)} would fit if ${first?.[0] ?? ''}`;
      // With what would make each fit: what explains most, else what comes first.
      const explainedItems = items.shown.map((item, at) => {
        const fits = shown[at] ?? [];
        const said = first !== undefined && fits.includes(first[0]) ? first[0] : fits[0];
        return said === undefined ? item : { ...item, note: `would fit if ${said}` };
      });
      return {
        severity: isGold || isOneFault || isMany ? 'error' : 'warning',
        title: `${count(bad)} of ${plural(checked, `${side} span`)} (${percent(bad, checked)}) do not have the text that stands at their place${first === undefined ? '' : fit}`,
        why: isGold
          ? 'Predictions are compared with places that nobody marked: right ones are called wrong.'
          : 'Such predictions count as spurious, or at a place that the system did not mean: a fault of offsets looks like a fault of the system.',
        todo: isOneFault
          ? 'Fix the offsets as shown, or, if only their unit differs, read them in it (data.offsets), and score again.'
          : 'Fix the offsets where the spans are made; texts may have been changed after they were marked.',
        evidence: { cases, items: { total: bad, shown: explainedItems } },
      };
    },
  };
}
