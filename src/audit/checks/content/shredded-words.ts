import type { Fields, ItemKind } from '../../../data/item.ts';
import { isSpacedOut, shreddingOf } from '../../../text/shredded.ts';
import type { AuditCase, Check, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, counted, percent } from '../../../text/figures.ts';

/** Some 120,000 words of whole text had no such run; 33,000 shredded ones had 9 in 1,000. */
const RUNS_PER_WORD = 0.002;
const LEAST_RUNS = 5;
const LEAST_DIFFERENT = 3;
const LEAST_QUOTES = 5;
const QUOTE_SHARE = 0.05;
/** Quotes that are not in their text as they are and are looked for without spaces. */
const MOST_LOOKED_FOR = 5000;

const QUOTING: ReadonlySet<ItemKind> = new Set<ItemKind>(['object', 'span']);

/** Words that were cut into pieces before anything was counted in them. */
export const shreddedWords: Check = {
  name: 'shredded-words',
  about: 'words that were cut into pieces when tokens were joined',
  open() {
    const traces = new CutTraces();
    const texts = { text: new ShreddedTexts('case texts'), answer: new ShreddedTexts('answers and summaries') };
    const quotes = new SpacedQuotes();
    return {
      add(given) {
        traces.add(given);
        if (given.text !== null) texts.text.add(given.id, given.text);
        for (const { predicted } of given.verdicts)
          if (predicted?.kind === 'answer' || predicted?.kind === 'summary') texts.answer.add(given.id, predicted.text);
        quotes.add(given);
      },
      finish: () => [...traces.findings(), ...texts.text.findings(), ...texts.answer.findings(), ...quotes.findings()],
    };
  },
};

/** Traces whose words are in pieces: their deltas were joined by a space, or came with one each. */
class CutTraces {
  #traces = 0;
  readonly #joined = new Cuts();
  readonly #padded = new Cuts();

  add({ id, failed, verdicts }: AuditCase): void {
    if (failed !== null) return;
    for (const { predicted } of verdicts) {
      if (predicted?.kind !== 'trace') continue;
      this.#traces += 1;
      (predicted.fields['padded'] === true ? this.#padded : this.#joined).add(id, predicted.fields);
    }
  }

  findings(): NewFinding[] {
    return [...this.#ofJoined(this.#joined), ...this.#ofPadded(this.#padded)];
  }

  #ofJoined({ words, places, first, evidence }: Cuts): NewFinding[] {
    if (words === 0) return [];
    return [
      {
        severity: 'error',
        title: `stream.join: space has cut ${counted(words, 'word')} of ${counted(this.#traces, 'trace')} into pieces, at ${counted(places, 'place')}${first}`,
        why: `Deltas are pieces of words. ${OF_ANOTHER_TEXT}`,
        todo: 'Join as the deltas came: stream.join: concat. Keep space only to reproduce figures that were made so.',
        subjects: ['stream.join'],
        cases: evidence.cases,
        items: evidence.items,
      },
    ];
  }

  #ofPadded({ words, places, first, evidence }: Cuts): NewFinding[] {
    if (words === 0) return [];
    const { total } = evidence.cases;
    return [
      {
        severity: 'error',
        title: `${count(total)} of ${counted(this.#traces, 'trace')} ${total === 1 ? 'has' : 'have'} a space added to every delta, which cuts ${counted(words, 'word')} into pieces, at ${counted(places, 'place')}${first}`,
        why: `Deltas are pieces of words. ${OF_ANOTHER_TEXT}`,
        todo: 'Find what adds a space to each delta when traces are recorded or changed, and keep the deltas as they came (delta_text).',
        subjects: ['delta_text'],
        cases: evidence.cases,
        items: evidence.items,
      },
    ];
  }
}

const OF_ANOTHER_TEXT =
  'Concepts are looked for in the shreds, so coverage and unsupported shares are of another text than was spoken, and its length in CTU grows with every space.';

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

  /** The first example, to go behind a sentence. */
  get first(): string {
    const [one] = this.evidence.items.shown;
    return one === undefined ? '' : `: "${one.text}"`;
  }
}

/** Texts that show by themselves that words were cut: many short pieces in a row that are no words. */
class ShreddedTexts {
  readonly #what: string;
  #words = 0;
  #runs = 0;
  readonly #different = new Set<string>();
  readonly #evidence = new Evidence();

  constructor(what: string) {
    this.#what = what;
  }

  add(id: string, text: string): void {
    const found = shreddingOf(text);
    this.#words += found.words;
    this.#runs += found.runs.length;
    for (const run of found.runs) {
      if (this.#different.size < LEAST_DIFFERENT) this.#different.add(run.toLowerCase());
      this.#evidence.addItem({ case: id, side: null, label: null, text: run, note: null });
    }
  }

  findings(): NewFinding[] {
    if (this.#runs < LEAST_RUNS || this.#different.size < LEAST_DIFFERENT) return [];
    if (this.#runs < RUNS_PER_WORD * this.#words) return [];
    const { cases, items } = this.#evidence;
    return [
      {
        severity: 'warning',
        title: `The ${this.#what} look shredded: ${counted(this.#runs, 'run')} of short pieces that are no words in ${counted(this.#words, 'word')}, as in "${items.shown[0]?.text ?? ''}"`,
        why: 'Whatever is matched, counted or searched in words finds the shreds instead.',
        todo: 'Find where tokens or deltas were joined by a space, and join them as they came.',
        subjects: [this.#what],
        cases,
        items,
      },
    ];
  }
}

/** Quotes that are in the text but for spaces inside their words. */
class SpacedQuotes {
  #quotes = 0;
  #lookedFor = 0;
  #spaced = 0;
  readonly #evidence = new Evidence();

  add({ id, text, verdicts }: AuditCase): void {
    if (text === null) return;
    for (const { predicted: item } of verdicts) {
      if (item === null || !QUOTING.has(item.kind) || item.text === '') continue;
      if (this.#lookedFor >= MOST_LOOKED_FOR) return;
      this.#quotes += 1;
      if (text.startsWith(item.text, Math.max(0, item.start)) || text.includes(item.text)) continue;
      this.#lookedFor += 1;
      if (!isSpacedOut(item.text, text)) continue;
      this.#spaced += 1;
      this.#evidence.addItem({ case: id, side: 'predicted', label: item.label, text: item.text, note: null });
    }
  }

  findings(): NewFinding[] {
    if (this.#spaced < LEAST_QUOTES || this.#spaced < QUOTE_SHARE * this.#quotes) return [];
    const { cases, items } = this.#evidence;
    return [
      {
        severity: 'warning',
        title: `${count(this.#spaced)} of ${counted(this.#quotes, 'predicted quote')} (${percent(this.#spaced, this.#quotes)}) stand in their text but for spaces put inside words: "${items.shown[0]?.text ?? ''}"`,
        why: 'They are not found in the text and match gold badly, through no fault of what was found.',
        todo: 'Find where the tokens of these quotes were joined by a space, and take the slice of the text instead.',
        subjects: [],
        cases,
        items,
      },
    ];
  }
}
