import { END, START } from '../../data/span-list.ts';
import { count, levelText, significant } from '../../text/figures.ts';
import { stretchesOf, unionOf } from '../../text/pieces.ts';
import type { AuditCase, AuditSpans } from '../audit-case.ts';
import type { AuditCheck } from '../check.ts';
import { Evidence } from '../evidence.ts';
import type { FindingItem } from '../finding.ts';
import { TELLING_KINDS } from '../text-index.ts';

/** Cases whose gold seems to be missing: their part of those that would then have gold, and how many. */
const LACKING = { share: 0.05, fewest: 3 };
/** The system finds this part of what it finds elsewhere: no ordinary case without gold is like that. */
const AS_MUCH = 0.4;
/** Some of many that are empty by right: a larger share, a part of those without gold, and fewer than half have a prediction. */
const AMONG_OTHERS = { share: 0.2, part: 0.1, answered: 0.5 };
/** Predictions without gold must be so many times those that touch no gold where there is some. */
const CLEARLY_MORE = 1.5;
/** Few such predictions are a rough measure of their rate: so many times the square root of their number may have come less. */
const DOUBT = 2;
/** Cases with gold and predictions from which the rates are known. */
const LEAST_KNOWN = 5;

export const unannotatedCases: AuditCheck = {
  name: 'unannotated-cases',
  about: 'cases without gold in which the system finds as much as elsewhere',
  severity: `Warning: ${levelText(LACKING.share)} of the cases that should have gold (${LACKING.fewest}+) if the system finds ${levelText(AS_MUCH)} of what it finds elsewhere, ${levelText(AMONG_OTHERS.share)} if ${levelText(AMONG_OTHERS.part)} and nothing in most of them; and ${CLEARLY_MORE} times what touches no gold elsewhere (${LEAST_KNOWN}+ cases with gold)`,
  scoredOnly: true,
  open({ keep }) {
    /** Cases with gold: how many, the length of their texts, predictions, and those of them that touch no gold. */
    const known = keep({ cases: 0, length: 0, found: 0, invented: 0 });
    const bare = keep({ cases: 0, length: 0, found: 0 });
    const seen = keep({ withoutText: 0 });
    const evidence = keep(new Evidence());
    const addBare = (id: string, length: number, found: number, itemAt: (at: number) => FindingItem): void => {
      bare.cases += 1;
      bare.length += length;
      bare.found += found;
      evidence.addItems(id, found, itemAt);
    };
    const addKnown = (length: number, found: number, invented: number): void => {
      known.cases += 1;
      known.length += length;
      known.found += found;
      known.invented += invented;
    };
    return {
      case(given) {
        if (given.answered === false) return;
        if (given.text === null) seen.withoutText += 1;
        const length = given.text?.length ?? 0;
        const { gold, found, invented } = sortedOut(given);
        if (gold.length > 0) addKnown(length, found.length, invented);
        else
          addBare(given.case, length, found.length, (at) => {
            const { label, text } = found[at]!;
            return { case: given.case, side: 'predicted', label, text, note: null };
          });
      },
      spans(given) {
        const { gold, predicted, text } = given;
        if (gold.count > 0) return addKnown(text.length, predicted.count, inventedSpans(given));
        addBare(given.case, text.length, predicted.count, (index) => {
          const at = given.placeOf(predicted, index);
          const [label, own] = [given.labelOf(predicted, at), given.slice(predicted, at)];
          return { case: given.case, side: 'predicted', label, text: own, note: null };
        });
      },
      find({ run: { manifest } }) {
        if (bare.cases === 0 || known.cases < LEAST_KNOWN) return null;
        const ofCases = partLike(bare.cases, bare.found, known.cases, known);
        const ofTexts = seen.withoutText > 0 ? ofCases : partLike(bare.length, bare.found, known.length, known);
        const part = Math.min(ofCases, ofTexts, 1);
        const lacking = part * bare.cases;
        const share = lacking / (known.cases + lacking);
        if (lacking < LACKING.fewest || share < LACKING.share) return null;
        const isAmongOthers =
          share >= AMONG_OTHERS.share &&
          part >= AMONG_OTHERS.part &&
          evidence.cases.total < AMONG_OTHERS.answered * bare.cases;
        if (part < AS_MUCH && !isAmongOthers) return null;
        const rate = (found: number, cases: number): string => significant(found / cases, 2);
        const withoutRecord = manifest.notices['casesWithoutGold'] ?? 0;
        return {
          severity: 'warning',
          title: `${count(bare.cases)} cases have no gold, and the system finds ${rate(bare.found, bare.cases)} items in each of them on average; in each of ${count(known.cases)} with gold it finds ${rate(known.found, known.cases)}, of which ${rate(known.invented, known.cases)} touch no gold: about ${count(Math.round(lacking))} cases may not be annotated`,
          words: withoutRecord > 0 ? 'unannotated-cases/noRecord' : 'unannotated-cases/emptyGold',
          evidence,
        };
      },
    };
  },
};

/**
 * Estimates the part q of the cases without gold that should have some. A case with nothing to find gets predictions at the
 * rate i of those that touch no gold elsewhere, a case whose gold is missing at the rate r of all predictions elsewhere:
 * found = (1 − q) · i + q · r. Rates are per case or per character of the texts. 0 if all predictions may be invented.
 *
 * Example: 10 cases without gold have 12 predictions; 20 with gold have 40, of which 4 touch no gold. i = 0.2, r = 2, and
 * q = (1.2 − 0.2) / (2 − 0.2) = 0.56.
 */
function partLike(
  bareSize: number,
  bareFound: number,
  size: number,
  { found, invented }: Readonly<{ found: number; invented: number }>,
): number {
  const [rate, elsewhere, chance] = [bareFound / bareSize, found / size, invented / size];
  const atMost = (invented + DOUBT * Math.sqrt(invented + 1)) / size;
  if (rate < CLEARLY_MORE * atMost || elsewhere <= chance) return 0;
  return (rate - chance) / (elsewhere - chance);
}

/** Gold and predictions of a case that mark, quote or name something; what was set aside is in none of them. */
function sortedOut({ verdicts }: AuditCase) {
  const telling = verdicts.filter(({ kind }) => TELLING_KINDS.has(kind));
  const gold = telling.flatMap((one) => one.gold ?? []);
  const counting = telling.filter(({ setAside }) => !setAside);
  const found = [...new Set(counting.flatMap(({ predicted }) => predicted ?? []))].sort((a, b) => a.index - b.index);
  const placed = unionOf(gold.flatMap((item) => (item.start >= 0 ? stretchesOf(item) : [])));
  const touches = overlaps(
    placed.map(({ start }) => start),
    placed.map(({ end }) => end),
  );
  const invented = counting.filter(({ verdict, predicted, rejected }) => {
    if (verdict !== 'spurious' || predicted === null) return false;
    return predicted.start < 0
      ? rejected === null
      : !stretchesOf(predicted).some(({ start, end }) => touches(start, end));
  });
  return { gold, found, invented: invented.length };
}

/** Counts the predicted spans that overlap no gold span. */
function inventedSpans({ gold, predicted, own, hits }: AuditSpans): number {
  if (predicted.count === hits) return 0;
  const ends = (what: number) => Array.from({ length: gold.count }, (_, at) => gold.get(at, what));
  const touches = overlaps(ends(START), ends(END));
  let invented = 0;
  for (let at = 0; at < predicted.count; at += 1)
    if (own.pairing.predicted[at]! < 0 && !touches(predicted.get(at, START), predicted.get(at, END))) invented += 1;
  return invented;
}

/** Whether a place overlaps one of others, which are sorted by where they start. */
function overlaps(starts: readonly number[], ends: readonly number[]): (start: number, end: number) => boolean {
  /** How far each of them or any before it reaches. */
  const reach: number[] = [];
  for (const end of ends) reach.push(Math.max(reach.at(-1) ?? -1, end));
  return (start, end) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! < end) low = middle + 1;
      else high = middle;
    }
    return low > 0 && reach[low - 1]! > start;
  };
}
