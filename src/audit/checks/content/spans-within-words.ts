import type { EndPlace, Item, Side } from '../../../data/item.ts';
import { offsetFlag } from '../../../data/offset-fits.ts';
import { END, type SpanList, START } from '../../../data/span-list.ts';
import { compareText } from '../../../text/compare.ts';
import { count, percent, plural, levelText } from '../../../text/figures.ts';
import { offsetMap } from '../../../text/offsets.ts';
import type { Span } from '../../../text/span.ts';
import { otherPlaces } from '../../../text/span-fit.ts';
import type { AuditSpans } from '../../audit-case.ts';
import type { AuditCheck, NewFinding, OpenContext } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { offsetUnit } from '../../recipe-parts.ts';

/** So few may be cut by chance, or because words are marked in part. */
const FEWEST = 5;
const SHARE = 0.8;
/** A fault of counting shows in so many. */
const MOST_LOOKED_AT = 500;

/** A span and under which ways of counting it is whole words; `cut` if it is not as it stands. */
interface Looked {
  readonly whole: readonly string[];
  readonly cut: FindingItem | null;
}

/** Spans without a text cannot contradict their place; words that most of them cut do. */
export const spansWithinWords: AuditCheck = {
  name: 'spans-within-words',
  about: 'spans that begin or end within words',
  severity: `Error: ${FEWEST}+ such spans, if counting offsets another way makes ${levelText(SHARE)} of them whole words`,
  needs: ['texts'],
  scoredOnly: true,
  open(context) {
    const sides = [sideOf('gold', context), sideOf('predicted', context)];
    return {
      case({ case: id, text, verdicts }) {
        for (const one of sides) {
          if (text === null || !one.isLooking()) continue;
          const items = new Set(verdicts.map((verdict) => verdict[one.side]));
          one.add(id, text, [...items].filter((item) => item !== null).filter(isPlaced));
        }
      },
      spans(given) {
        for (const one of sides) {
          const spans = given[one.side];
          if (spans.count > 0 && one.isLooking()) one.add(given.case, given.text, placesOf(given, spans));
        }
      },
      find: () => sides.map((side) => side.finding()),
    };
  },
};

function sideOf(side: Side, { recipe, keep }: OpenContext) {
  const unit = offsetUnit(recipe, side);
  const looked = keep<Looked[]>([]);
  return {
    side,
    isLooking: (): boolean => looked.length < MOST_LOOKED_AT,
    add(id: string, text: string, places: readonly EndPlace[]): void {
      if (places.length === 0) return;
      const { fromUtf16 } = offsetMap(text, unit);
      const { units, shifts } = otherPlaces(text, unit);
      for (const own of places.toSorted(byPlace)) {
        const [start, end] = [fromUtf16(own.start), fromUtf16(own.end)];
        const whole = [...units, ...shifts].filter(({ place }) => isWholeWords(text, place(start, end)));
        const cut = { case: id, side, label: own.label, text: text.slice(own.start, own.end), note: null };
        looked.push({ whole: whole.map(({ when }) => when), cut: isWholeWords(text, own) ? null : cut });
      }
    },
    finding(): NewFinding | null {
      // Of several parts there may be more.
      const spans = looked.slice(0, MOST_LOOKED_AT);
      const cut = spans.filter((one) => one.cut !== null);
      if (cut.length < FEWEST) return null;
      const best = wayOfCounting(cut, spans);
      if (best === null) return null;
      const evidence = new Evidence();
      for (const { cut: item } of cut) if (item !== null) evidence.addItem(item);
      const flag = offsetFlag(best.when, unit);
      return {
        severity: 'error',
        title: `${count(cut.length)} of ${plural(spans.length, `${side} span`)} (${percent(cut.length, spans.length)}) begin or end within a word; ${count(best.fits)} would be whole words if ${best.when}`,
        why: 'A fault of offsets looks like a fault of the system: what was found at another place does not count.',
        todo:
          flag === null
            ? 'Fix the offsets where the spans are made, and score again.'
            : `Read them with --offsets ${side}=${flag}, or fix them where the spans are made, and score again.`,
        evidence: { cases: evidence.cases, items: evidence.items },
      };
    },
  };
}

/** The way of counting under which nearly all cut spans are whole, and nearly all others still are. */
function wayOfCounting(cut: readonly Looked[], spans: readonly Looked[]): { when: string; fits: number } | null {
  const fitting = (among: readonly Looked[], when: string): number =>
    among.filter(({ whole }) => whole.includes(when)).length;
  const ways = [...new Set(cut.flatMap(({ whole }) => whole))]
    .map((when) => ({ when, fits: fitting(cut, when), all: fitting(spans, when) }))
    .filter(({ fits, all }) => fits >= SHARE * cut.length && all - fits >= SHARE * (spans.length - cut.length));
  return ways.toSorted((a, b) => b.all - a.all)[0] ?? null;
}

/** Only places that the files give: of quotes they were looked up, and joined spans are made by a rule. */
export function isPlaced({ kind, start, end, parts, refused, aligned }: Item): boolean {
  if (kind !== 'span' && kind !== 'entity') return false;
  return start >= 0 && end > start && parts === null && refused === undefined && aligned === undefined;
}

function placesOf(given: AuditSpans, spans: SpanList): EndPlace[] {
  return Array.from({ length: spans.count }, (_, at) => ({
    start: spans.get(at, START),
    end: spans.get(at, END),
    label: given.labelOf(spans, at),
  }));
}

function byPlace(a: EndPlace, b: EndPlace): number {
  return a.start - b.start || a.end - b.end || compareText(a.label, b.label);
}

const SPACE = /\s/u;
const WORD = /[\p{L}\p{N}\p{M}]/u;

function isWholeWords(text: string, place: Span | null): boolean {
  if (place === null || place.end <= place.start) return false;
  const { start, end } = place;
  if (SPACE.test(text[start]!) || SPACE.test(text[end - 1]!)) return false;
  return !isWithinWord(text, start) && !isWithinWord(text, end);
}

export function isWithinWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && WORD.test(characterBefore(text, at)) && WORD.test(characterAt(text, at));
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function characterBefore(text: string, at: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text[at - 1]!) && at > 1;
  return characterAt(text, isPair ? at - 2 : at - 1);
}
