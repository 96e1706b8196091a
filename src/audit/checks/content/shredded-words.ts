import type { Fields, ItemKind } from '../../../data/item.ts';
import { count, counted, percent } from '../../../text/figures.ts';
import { isSpacedOut, shreddingOf } from '../../../text/shredded.ts';
import type { Check, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';

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
