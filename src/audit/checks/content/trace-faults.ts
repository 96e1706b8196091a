import { z } from 'zod';

import type { Foldable } from '../../../data/fold-state.ts';
import type { ItemKind } from '../../../data/item.ts';
import { count, plural, percent, levelText } from '../../../text/figures.ts';
import { isSpacedOut, shreddingOf } from '../../../text/shredded.ts';
import type { AuditCheck, NewFinding, OpenCheck, OpenContext } from '../../check.ts';
import { addTo, Evidence, savedItem, shortItem } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { parseSaved } from '../../saved-shape.ts';

/** Some 120,000 words of whole text had no such run; 33,000 shredded ones had 9 in 1,000. */
const RUNS_PER_WORD = 0.002;
const LEAST_RUNS = 5;
const LEAST_DIFFERENT = 3;
const LEAST_QUOTES = 5;
const QUOTE_SHARE = 0.05;
/** Quotes that are not in their text as they are and are looked for without spaces. */
const MOST_LOOKED_FOR = 5000;

const QUOTING: readonly ItemKind[] = ['object', 'span'];

export const splitWords: AuditCheck = {
  name: 'split-words',
  about: 'words cut in pieces when tokens were joined',
  severity: `Error for the deltas of a trace; otherwise a warning: ${LEAST_RUNS}+ cut words (${LEAST_DIFFERENT} different, ${levelText(RUNS_PER_WORD)} of the words), or ${LEAST_QUOTES} quotes (${levelText(QUOTE_SHARE)})`,
  open: (context) => [
    cutWords(false, context),
    cutWords(true, context),
    shreds('case texts', context),
    shreds('answers and summaries', context),
    spacedQuotes(context),
  ],
};

/** Words of traces that were cut, as the measuring of the trace counted them: deltas joined by a space, or with one each. */
function cutWords(isPadded: boolean, { keep }: OpenContext): OpenCheck {
  const seen = keep({ traces: 0, words: 0, places: 0 });
  const evidence = keep(new Evidence());
  return {
    kinds: ['trace'],
    verdict({ predicted: item }, { case: id, failed }) {
      if (item?.kind !== 'trace' || failed !== undefined) return;
      seen.traces += 1;
      const { padded, cut_words: own, cuts, cut_examples: examples } = item.fields;
      if ((padded === true) !== isPadded || typeof own !== 'number' || own === 0) return;
      seen.words += own;
      seen.places += typeof cuts === 'number' ? cuts : own;
      evidence.addCase(id);
      for (const text of Array.isArray(examples) ? examples : [])
        if (typeof text === 'string') evidence.addItem({ case: id, side: null, label: null, text, note: null });
    },
    find() {
      const { traces, words, places } = seen;
      if (words === 0) return null;
      const { cases, items } = evidence;
      const [all, example] = [
        plural(traces, 'trace'),
        items.shown[0] === undefined ? '' : `: "${items.shown[0].text}"`,
      ];
      const have = `${count(cases.total)} of ${all} ${cases.total === 1 ? 'has' : 'have'} a space added to every delta`;
      const pieces = `into pieces, at ${plural(places, 'place')}${example}`;
      return {
        severity: 'error',
        title: isPadded
          ? `${have}, which cuts ${plural(words, 'word')} ${pieces}`
          : `stream.join: space has cut ${plural(words, 'word')} of ${all} ${pieces}`,
        words: isPadded ? 'shredded-words/padded' : 'shredded-words/joined',
        subjects: [isPadded ? 'delta_text' : 'stream.join'],
        evidence,
      };
    },
  };
}

/** Texts that show by themselves that words were cut: many short pieces in a row that are no words. */
function shreds(what: 'case texts' | 'answers and summaries', { index, keep }: OpenContext): OpenCheck {
  const seen = keep({ words: 0 });
  const different = keep(new Set<string>());
  const evidence = keep(new Evidence());
  const add = (id: string, found: ReturnType<typeof shreddingOf>): void => {
    seen.words += found.words;
    for (const run of found.runs) {
      if (different.size < LEAST_DIFFERENT) different.add(run.toLowerCase());
      evidence.addItem({ case: id, side: null, label: null, text: run, note: null });
    }
  };
  const find: OpenCheck['find'] = () => {
    const [{ words }, { total: runs, shown }] = [seen, evidence.items];
    if (runs < LEAST_RUNS || different.size < LEAST_DIFFERENT || runs < RUNS_PER_WORD * words) return null;
    return {
      severity: 'warning',
      title: `The ${what} look shredded: ${plural(runs, 'run')} of short pieces that are no words in ${plural(words, 'word')}, as in "${shown[0]?.text ?? ''}"`,
      words: 'shredded-words/texts',
      subjects: [what],
      evidence,
    };
  };
  if (what === 'case texts')
    return {
      case: ({ case: id, text }) => text !== null && add(id, shreddingOf(text, index.scanned)),
      spans: ({ case: id, text }) => add(id, shreddingOf(text, index.scanned)),
      find,
    };
  return {
    kinds: ['answer', 'summary'],
    verdict({ predicted: item }, { case: id }) {
      if (item?.kind === 'answer' || item?.kind === 'summary') add(id, shreddingOf(item.text));
    },
    find,
  };
}

/** Quotes that are in the text but for spaces inside their words. */
function spacedQuotes({ keep }: OpenContext): OpenCheck {
  const quotes = keep(new LookedFor());
  return {
    kinds: QUOTING,
    spans({ predicted }) {
      quotes.addPlain(predicted.count);
    },
    verdict({ predicted: item }, { case: id, text }) {
      if (item === null || text === null || item.text === '' || quotes.isFull) return;
      quotes.addPlain(1);
      if (text.startsWith(item.text, Math.max(0, item.start)) || text.includes(item.text)) return;
      const isFound = isSpacedOut(item.text, text);
      quotes.look(isFound ? { case: id, side: 'predicted', label: item.label, text: item.text, note: null } : null);
    },
    find() {
      const [all, evidence] = [quotes.all, quotes.evidence()];
      const { total: n, shown } = evidence.items;
      if (n < LEAST_QUOTES || n < QUOTE_SHARE * all) return null;
      return {
        severity: 'warning',
        title: `${count(n)} of ${plural(all, 'predicted quote')} (${percent(n, all)}) are in their text except for spaces put inside words: "${shown[0]?.text ?? ''}"`,
        words: 'shredded-words/quotes',
        evidence,
      };
    },
  };
}

const savedQuotes = z.object({
  all: z.int(),
  before: z.instanceof(Float64Array),
  found: z.map(z.int(), savedItem),
});

/** Quotes up to the last one that is looked for. */
class LookedFor implements Foldable {
  /** All quotes so far. */
  all = 0;
  /** For each that was looked for, how many there were up to it; and those of them that were found. */
  readonly #before: number[] = [];
  readonly #found = new Map<number, FindingItem>();

  get isFull(): boolean {
    return this.#before.length >= MOST_LOOKED_FOR;
  }

  addPlain(n: number): void {
    if (!this.isFull) this.all += n;
  }

  /** The quote that was added last is looked for; null: it was not found. */
  look(item: FindingItem | null): void {
    if (item !== null) this.#found.set(this.#before.length, shortItem(item));
    this.#before.push(this.all);
  }

  evidence(): Evidence {
    const evidence = new Evidence();
    for (const item of this.#found.values()) evidence.addItem(item);
    return evidence;
  }

  save(): z.infer<typeof savedQuotes> {
    return { all: this.all, before: Float64Array.from(this.#before), found: this.#found };
  }

  merge(saved: unknown): void {
    const { all, before, found } = parseSaved(savedQuotes, saved);
    const [own, known] = [this.all, this.#before.length];
    const room = MOST_LOOKED_FOR - known;
    for (const [at, item] of found) if (at < room) this.#found.set(known + at, item);
    for (const n of before.subarray(0, room)) this.#before.push(own + n);
    if (room > 0) this.all = own + (before[room - 1] ?? all);
  }
}

const ERROR_SHARE = 0.5;

/** Kinds of records of a run log that have a time. */
const TIMED: readonly ItemKind[] = ['flush', 'decision', 'summary'];

/** What a time that is not from the trace is, in words. */
const SOURCES: Readonly<Record<string, string>> = {
  fallback: 'the start of the trace and a second for each seq',
  grid: 'on an even grid by seq that the trace does not have',
  constant: 'one and the same time whatever the seq',
  outside: 'before the trace began or long after its end',
};

export const fallbackTimestamps: AuditCheck = {
  name: 'fallback-timestamps',
  about: 'times in run logs that do not come from the trace',
  severity: `Error: ${levelText(ERROR_SHARE)} of the records, if a measure reads them; note for virtual clocks; otherwise a warning`,
  scoredOnly: true,
  open({ keep }) {
    const [sources, kinds] = [keep(new Map<string, number>()), keep(new Map<string, number>())];
    const evidence = keep(new Evidence());
    /** `madeIntervals`: flush intervals that rest on a made-up time. */
    const seen = keep({ traces: 0, virtual: 0, timed: 0, records: 0, intervals: 0, madeIntervals: 0 });
    return {
      kinds: ['trace', ...TIMED],
      verdict({ predicted: item }, { case: id }) {
        if (item?.kind === 'trace') {
          seen.traces += 1;
          if (item.fields['clock'] === 'virtual') seen.virtual += 1;
          // A ledger of before times were looked at has none of this.
          if (item.fields['join'] !== undefined) seen.timed += 1;
        }
        if (item === null || !TIMED.includes(item.kind)) return;
        const { time_source: source, interval_ms: interval, end_seq: seq } = item.fields;
        seen.records += 1;
        if (typeof interval === 'number') seen.intervals += 1;
        if (typeof source !== 'string' || SOURCES[source] === undefined) return;
        if (typeof interval === 'number') seen.madeIntervals += 1;
        addTo(sources, source);
        addTo(kinds, item.kind);
        const note = `${item.kind} ${item.index}, seq ${typeof seq === 'number' ? seq : '?'}: ${SOURCES[source]}`;
        evidence.addItem({ case: id, side: 'predicted', label: item.label, text: item.text, note });
      },
      find({ run: { measures } }) {
        const { traces, virtual, timed, records, intervals, madeIntervals } = seen;
        if (traces + records === 0) return { skipped: 'only run logs of streams have times' };
        if (traces > 0 && timed === 0) return { skipped: 'the ledger does not say where times come from' };
        const names = new Set(measures.measures.map(({ name }) => name));
        const resting = madeIntervals === 0 ? [] : [...names].filter((name) => name.startsWith('flush_interval'));
        const made = evidence.items.total;
        const byCount = [...sources].sort(([, a], [, b]) => b - a);
        const from = byCount.map(([source, n]) => `${count(n)} are ${SOURCES[source] ?? source}`).join('; ');
        const ofKinds = [...kinds].map(([kind, n]) => `${count(n)} of kind ${kind}`).join(', ');
        const rests = `${resting.join(', ')} ${resting.length === 1 ? 'rests' : 'rest'} on it for ${count(madeIntervals)} of ${plural(intervals, 'interval')}.`;
        const madeUp: NewFinding = {
          severity: made >= ERROR_SHARE * records && resting.length > 0 ? 'error' : 'warning',
          title: `${count(made)} of ${plural(records, 'record')} (${percent(made, records)}) have a time that is not from the trace (${ofKinds}): ${from}`,
          words: 'fallback-timestamps/madeUp',
          why: (unread) => `What was counted or filled in is no time. ${resting.length > 0 ? rests : unread}`,
          subjects: resting,
          evidence,
        };
        const virtualClocks: NewFinding = {
          severity: 'note',
          title: `${count(virtual)} of ${plural(traces, 'trace')} have a virtual clock: its times were made up when it was recorded, a fixed gap apart`,
          words: 'fallback-timestamps/virtual',
          evidence: { cases: { total: virtual, shown: [] } },
        };
        return [made === 0 ? null : madeUp, virtual === 0 ? null : virtualClocks];
      },
    };
  },
};
