import { z } from 'zod';

import type { Foldable } from '../../../data/fold-state.ts';
import { count, levelText, percent } from '../../../text/figures.ts';
import type { AuditCheck, NewFinding, OpenCheck, OpenContext } from '../../check.ts';
import { Evidence, SubjectEvidence } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { parseSaved } from '../../saved-shape.ts';
import { SIZE_STEPS, SizeCounts, sizeStep } from '../../size-counts.ts';
import { cutOffItems, MOST_ITEMS } from './cut-off-items.ts';
import { CUT_OFF, cutOffSpans } from './cut-off-spans.ts';

const PLURAL = { answer: 'answers', summary: 'summaries' } as const;
/** Shorter texts may be names or keywords, and have one length. */
const LONG = 80;
/** So many different texts are as long as the longest by a limit only. */
const FEWEST = 5;
const ERROR_SHARE = 0.1;
const MOST_ENDINGS = 50;
const ENDING = 60;
/** Texts that were cut after some tokens are nearly as long as the longest, and after some words nearer than that. */
const NEARLY = [0.75, 0.95];
/** Of those so many end within a sentence, and several times fewer of the shorter ones. */
const CUT = { share: 0.5, alone: 0.8, times: 3, fewestAlone: 10 };

/** A letter or digit, or a sign that nothing ends with; and what is written where something was cut off. */
const OPEN_END =
  /[\p{L}\p{M}\p{N},;:\-–—([{&/]\s*(?:(?:…|\.{3}|\[(?:…|\.{3})\]|[[(<](?:truncated|gekürzt|tronqué|truncado)[\])>])\s*)?$/iu;
/** Lines that end without a full stop by right: of lists, tables and headings. */
const LIST_LINE = /^\s*(?:[-*•#|>]|\d+[.)])|\|/u;
/** So does a short last line, such as a signature. */
const SENTENCE_LINE = 60;

export const cutOffPredictions: AuditCheck = {
  name: 'cut-off-predictions',
  about: 'a place or number behind which nothing is predicted; answers that end within a sentence at one length',
  severity: `Error: at most ${levelText(CUT_OFF.left)} of ${CUT_OFF.expected}+ predictions expected behind a place (${CUT_OFF.fewestCases}+ cases, empty ones at p ≤ ${CUT_OFF.chance}), ${levelText(MOST_ITEMS.error)} of the cases with the largest number of predictions (${MOST_ITEMS.cases}+, ${MOST_ITEMS.times} times those with one less, ${levelText(MOST_ITEMS.share)} of those with more gold), or ${levelText(ERROR_SHARE)} of the answers (${FEWEST}+); otherwise a warning`,
  scoredOnly: true,
  open: (context) => [
    cutOffSpans(context),
    cutOffItems(context),
    cutOffTexts('answer', context),
    cutOffTexts('summary', context),
  ],
};

function cutOffTexts(kind: keyof typeof PLURAL, { keep }: OpenContext): OpenCheck {
  const seen = keep({ all: 0 });
  const longest = keep(new LongestTexts());
  const [sentences, cut] = [keep(new SizeCounts()), keep(new SizeCounts())];
  const endings = keep(new Set<string>());
  const cutTexts = keep(new SubjectEvidence(Number));
  return {
    kinds: [kind],
    outcomes: ['hit', 'missed', 'excused'],
    verdict({ predicted }, { case: id }) {
      if (predicted === null || predicted.text.length < LONG) return;
      const { text, label } = predicted;
      seen.all += 1;
      const length = lengthOf(text);
      const isOpen = OPEN_END.test(text);
      const itemOf = (): FindingItem => {
        return {
          case: id,
          side: 'predicted',
          label,
          text: `…${text.slice(-ENDING)}`,
          note: `${count(length)} characters`,
        };
      };
      longest.add(length, isOpen ? text.slice(-ENDING) : null, itemOf);
      if (!endsAsProse(text)) return;
      sentences.add(length);
      if (!isOpen) return;
      cut.add(length);
      if (endings.size < MOST_ENDINGS) endings.add(text.slice(-ENDING));
      cutTexts.add(`${sizeStep(length)}`, id, itemOf);
    },
    find: () =>
      atOneLength(kind, longest, seen.all) ??
      (endings.size < FEWEST
        ? null
        : (NEARLY.map((part) => atTheEnd(kind, { sentences, cut, cutTexts, part }, longest.length, seen.all)).find(
            (own) => own !== null,
          ) ?? null)),
  };
}

/** Texts that are all as long as the longest. */
function atOneLength(kind: keyof typeof PLURAL, longest: LongestTexts, all: number): NewFinding | null {
  const { length, n, open, endings, evidence } = longest;
  if (endings.size < FEWEST || open < CUT.alone * n) return null;
  return {
    severity: n >= ERROR_SHARE * all ? 'error' : 'warning',
    title: `${count(n)} of ${count(all)} ${PLURAL[kind]} (${percent(n, all)}) have exactly ${count(length)} characters, none has more, and ${count(open)} of them end within a sentence`,
    words: 'cut-off/texts',
    subjects: [PLURAL[kind]],
    evidence,
  };
}

/** `part`: of the longest text, from which on texts are long. */
type Sentences = Readonly<{ sentences: SizeCounts; cut: SizeCounts; cutTexts: SubjectEvidence; part: number }>;

/** The longest texts end within a sentence, and shorter ones do not. */
function atTheEnd(
  kind: keyof typeof PLURAL,
  { sentences, cut, cutTexts, part }: Sentences,
  length: number,
  all: number,
): NewFinding | null {
  const step = sizeStep(part * length);
  const [long, cutLong] = [sentences.between(step), cut.between(step)];
  const [short, cutShort] = [sentences.between(0, step), cut.between(0, step)];
  if (cutLong < FEWEST || cutLong < CUT.share * long) return null;
  const isTold = short >= CUT.fewestAlone;
  if (isTold && cutShort / short > cutLong / long / CUT.times) return null;
  if (!isTold && (cutLong < CUT.alone * long || long < CUT.fewestAlone)) return null;
  const steps = Array.from({ length: SIZE_STEPS - step }, (_, at) => `${step + at}`);
  return {
    severity: cutLong >= ERROR_SHARE * all ? 'error' : 'warning',
    title: `${count(cutLong)} of the ${count(long)} longest ${PLURAL[kind]} (${percent(cutLong, long)}) end within a sentence, and ${count(cutShort)} of ${count(short)} shorter ones; the longest has ${count(length)} characters`,
    words: 'cut-off/texts',
    subjects: [PLURAL[kind]],
    evidence: cutTexts.of(steps),
  };
}

const savedLongest = z.object({
  length: z.number(),
  n: z.number(),
  open: z.number(),
  endings: z.set(z.string()),
  evidence: z.unknown(),
});

/** The longest texts: how many are of that length, and how many of them end within a sentence. */
class LongestTexts implements Foldable {
  length = 0;
  n = 0;
  open = 0;
  /** How they end: the same text several times is one. */
  endings = new Set<string>();
  evidence = new Evidence();

  add(length: number, ending: string | null, itemOf: () => FindingItem): void {
    if (length < this.length) return;
    this.#reach(length);
    this.n += 1;
    if (ending === null) return;
    this.open += 1;
    if (this.endings.size < MOST_ENDINGS) this.endings.add(ending);
    this.evidence.addItem(itemOf());
  }

  #reach(length: number): void {
    if (length === this.length) return;
    [this.length, this.n, this.open] = [length, 0, 0];
    [this.endings, this.evidence] = [new Set(), new Evidence()];
  }

  save(): z.infer<typeof savedLongest> {
    const { length, n, open, endings, evidence } = this;
    return { length, n, open, endings, evidence: evidence.save() };
  }

  merge(saved: unknown): void {
    const { length, n, open, endings, evidence } = parseSaved(savedLongest, saved);
    if (length < this.length) return;
    this.#reach(length);
    this.n += n;
    this.open += open;
    for (const ending of endings) if (this.endings.size < MOST_ENDINGS) this.endings.add(ending);
    this.evidence.merge(evidence);
  }
}

/** Whether the last line is one that ends with a full stop if nothing cuts it off. */
function endsAsProse(text: string): boolean {
  const from = text.trimEnd().lastIndexOf('\n') + 1;
  const line = text.slice(from);
  return !LIST_LINE.test(line) && (from === 0 || line.length >= SENTENCE_LINE);
}

/** Characters, as those count who cut after so many. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
