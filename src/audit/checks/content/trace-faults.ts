import type { Fields, ItemKind } from '../../../data/item.ts';
import { count, counted, percent } from '../../../text/figures.ts';
import { isSpacedOut, shreddingOf } from '../../../text/shredded.ts';
import type { Check, NewFinding } from '../../check.ts';
import { addTo, Evidence } from '../../evidence.ts';

/** Some 120,000 words of whole text had no such run; 33,000 shredded ones had 9 in 1,000. */
const RUNS_PER_WORD = 0.002;
const LEAST_RUNS = 5;
const LEAST_DIFFERENT = 3;
const LEAST_QUOTES = 5;
const QUOTE_SHARE = 0.05;
/** Quotes that are not in their text as they are and are looked for without spaces. */
const MOST_LOOKED_FOR = 5000;

const QUOTING: ReadonlySet<ItemKind> = new Set<ItemKind>(['object', 'span']);

export const shreddedWords: Check = {
  name: 'shredded-words',
  about: 'words that were cut into pieces when tokens were joined',
  open() {
    const [joined, padded, texts, answers] = [new Cuts(), new Cuts(), new Shreds(), new Shreds()];
    const quotes = { all: 0, lookedFor: 0, evidence: new Evidence() };
    let traces = 0;
    return {
      case({ case: id, text }) {
        if (text !== null) texts.add(id, text);
      },
      verdict({ predicted: item }, { case: id, text, failed }) {
        if (item === null) return;
        if (item.kind === 'trace' && failed === null) {
          traces += 1;
          (item.fields['padded'] === true ? padded : joined).add(id, item.fields);
        }
        if (item.kind === 'answer' || item.kind === 'summary') answers.add(id, item.text);
        if (text === null || !QUOTING.has(item.kind) || item.text === '' || quotes.lookedFor >= MOST_LOOKED_FOR) return;
        quotes.all += 1;
        if (text.startsWith(item.text, Math.max(0, item.start)) || text.includes(item.text)) return;
        quotes.lookedFor += 1;
        if (!isSpacedOut(item.text, text)) return;
        quotes.evidence.addItem({ case: id, side: 'predicted', label: item.label, text: item.text, note: null });
      },
      find: () => [
        ofCuts(joined, traces, false),
        ofCuts(padded, traces, true),
        ofShreds('case texts', texts),
        ofShreds('answers and summaries', answers),
        ofQuotes(quotes.evidence, quotes.all),
      ],
    };
  },
};

/** Words of traces that were cut, as the measuring of the trace counted them. */
class Cuts {
  words = 0;
  places = 0;
  readonly evidence = new Evidence();

  add(id: string, { cut_words: words, cuts, cut_examples: examples }: Fields): void {
    if (typeof words !== 'number' || words === 0) return;
    this.words += words;
    this.places += typeof cuts === 'number' ? cuts : words;
    this.evidence.addCase(id);
    for (const example of Array.isArray(examples) ? examples : [])
      if (typeof example === 'string')
        this.evidence.addItem({ case: id, side: null, label: null, text: example, note: null });
  }

  /** "12 words into pieces, at 30 places", with the first example. */
  intoPieces(of: string): string {
    const [one] = this.evidence.items.shown;
    const example = one === undefined ? '' : `: "${one.text}"`;
    return `${counted(this.words, 'word')}${of} into pieces, at ${counted(this.places, 'place')}${example}`;
  }
}

/** Traces whose deltas were joined by a space, or came with a space each. */
function ofCuts(cuts: Cuts, traces: number, isPadded: boolean): NewFinding | null {
  const { total } = cuts.evidence.cases;
  if (cuts.words === 0) return null;
  const all = counted(traces, 'trace');
  const have = `${count(total)} of ${all} ${total === 1 ? 'has' : 'have'} a space added to every delta`;
  return {
    severity: 'error',
    title: isPadded
      ? `${have}, which cuts ${cuts.intoPieces('')}`
      : `stream.join: space has cut ${cuts.intoPieces(` of ${all}`)}`,
    words: isPadded ? 'shredded-words/padded' : 'shredded-words/joined',
    subjects: [isPadded ? 'delta_text' : 'stream.join'],
    evidence: cuts.evidence,
  };
}

/** Texts that show by themselves that words were cut: many short pieces in a row that are no words. */
class Shreds {
  words = 0;
  readonly different = new Set<string>();
  readonly evidence = new Evidence();

  add(id: string, text: string): void {
    const found = shreddingOf(text);
    this.words += found.words;
    for (const run of found.runs) {
      if (this.different.size < LEAST_DIFFERENT) this.different.add(run.toLowerCase());
      this.evidence.addItem({ case: id, side: null, label: null, text: run, note: null });
    }
  }
}

function ofShreds(what: string, { words, different, evidence }: Shreds): NewFinding | null {
  const { total: runs, shown } = evidence.items;
  if (runs < LEAST_RUNS || different.size < LEAST_DIFFERENT || runs < RUNS_PER_WORD * words) return null;
  return {
    severity: 'warning',
    title: `The ${what} look shredded: ${counted(runs, 'run')} of short pieces that are no words in ${counted(words, 'word')}, as in "${shown[0]?.text ?? ''}"`,
    words: 'shredded-words/texts',
    subjects: [what],
    evidence,
  };
}

/** Quotes that are in the text but for spaces inside their words. */
function ofQuotes(evidence: Evidence, all: number): NewFinding | null {
  const { total: n, shown } = evidence.items;
  if (n < LEAST_QUOTES || n < QUOTE_SHARE * all) return null;
  return {
    severity: 'warning',
    title: `${count(n)} of ${counted(all, 'predicted quote')} (${percent(n, all)}) stand in their text but for spaces put inside words: "${shown[0]?.text ?? ''}"`,
    words: 'shredded-words/quotes',
    evidence,
  };
}

const ERROR_SHARE = 0.5;

/** Kinds of records of a run log that have a time. */
const TIMED: ReadonlySet<ItemKind> = new Set<ItemKind>(['flush', 'decision', 'summary']);

/** What a time that is not from the trace is, in words. */
const SOURCES: Readonly<Record<string, string>> = {
  fallback: 'the start of the trace and a second for each seq',
  grid: 'on an even grid by seq that the trace does not have',
  constant: 'one and the same time whatever the seq',
  outside: 'before the trace began or long after its end',
};

const NO_TIME = 'What was counted or filled in is no time.';

export const fallbackTimestamps: Check = {
  name: 'fallback-timestamps',
  about: 'times in run logs that do not come from the trace',
  scoredOnly: true,
  open() {
    const seen = new SeenTimes();
    return {
      verdict({ predicted: item }, { case: id }) {
        if (item?.kind === 'trace') {
          seen.traces += 1;
          if (item.fields['clock'] === 'virtual') seen.virtual += 1;
          // A ledger of before times were looked at has none of this.
          if (item.fields['join'] !== undefined) seen.timed += 1;
        }
        if (item === null || !TIMED.has(item.kind)) return;
        const { time_source: source, interval_ms: interval, end_seq: seq } = item.fields;
        seen.records += 1;
        if (typeof interval === 'number') seen.intervals += 1;
        if (typeof source !== 'string' || SOURCES[source] === undefined) return;
        if (typeof interval === 'number') seen.madeIntervals += 1;
        addTo(seen.sources, source);
        addTo(seen.kinds, item.kind);
        const note = `${item.kind} ${item.index}, seq ${typeof seq === 'number' ? seq : '?'}: ${SOURCES[source]}`;
        seen.evidence.addItem({ case: id, side: 'predicted', label: item.label, text: item.text, note });
      },
      find({ run: { measures } }) {
        if (seen.traces + seen.records === 0) return { skipped: 'only run logs of streams have times' };
        if (seen.traces > 0 && seen.timed === 0) return { skipped: 'the ledger does not say where times come from' };
        const names = [...new Set(measures.measures.map(({ name }) => name))];
        return [
          madeUp(
            seen,
            names.filter((name) => name.startsWith('flush_interval')),
          ),
          virtualClocks(seen),
        ];
      },
    };
  },
};

class SeenTimes {
  records = 0;
  timed = 0;
  /** Flush intervals, and those that rest on a made-up time. */
  intervals = 0;
  madeIntervals = 0;
  virtual = 0;
  traces = 0;
  readonly sources = new Map<string, number>();
  readonly kinds = new Map<string, number>();
  readonly evidence = new Evidence();
}

function madeUp(
  { records, intervals, madeIntervals, ...seen }: SeenTimes,
  ofIntervals: readonly string[],
): NewFinding | null {
  const made = seen.evidence.items.total;
  if (made === 0) return null;
  const resting = madeIntervals === 0 ? [] : ofIntervals;
  const sources = [...seen.sources]
    .sort(([, a], [, b]) => b - a)
    .map(([source, n]) => `${count(n)} are ${SOURCES[source] ?? source}`);
  const kinds = [...seen.kinds].map(([kind, n]) => `${count(n)} of kind ${kind}`).join(', ');
  return {
    severity: made >= ERROR_SHARE * records && resting.length > 0 ? 'error' : 'warning',
    title: `${count(made)} of ${counted(records, 'record')} (${percent(made, records)}) have a time that is not from the trace (${kinds}): ${sources.join('; ')}`,
    why:
      resting.length > 0
        ? `${NO_TIME} ${resting.join(', ')} ${resting.length === 1 ? 'rests' : 'rest'} on it for ${count(madeIntervals)} of ${counted(intervals, 'interval')}.`
        : `${NO_TIME} No measure of this recipe reads these times, but the log has them: gaps between its records, the time until the first summary and timelines drawn from it mean nothing.`,
    todo: 'Replay with timestamps from the trace (turnTimestamp=last-delta takes the last delta of a turn, which has one), and do not use the times of these logs until then.',
    subjects: resting,
    evidence: seen.evidence,
  };
}

function virtualClocks({ virtual, traces }: SeenTimes): NewFinding | null {
  if (virtual === 0) return null;
  return {
    severity: 'note',
    title: `${count(virtual)} of ${counted(traces, 'trace')} have a virtual clock: its times were made up when it was recorded, a fixed gap apart`,
    words: 'fallback-timestamps/virtual',
    evidence: { cases: { total: virtual, shown: [] } },
  };
}
