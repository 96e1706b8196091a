import type { ItemKind } from '../../../../data/item.ts';
import { NearTexts } from '../../../../text/near-texts.ts';
import { sequenceKey, wordHashes } from '../../../../text/shingles.ts';
import { isMasked, maskedWords } from '../../../../text/template.ts';
import type { AuditCase, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { count, percent } from '../../words.ts';
import type { CaseTexts } from './case-texts.ts';
import type { Phrases } from './placeholder-phrases.ts';

/** Answers of different cases are alike from here on. Of the real answers looked at no two were above 0.44. */
const ALIKE = 0.8;
/** An answer is made of a skeleton when so many of its shingles stand in half of all answers; real ones stayed below 0.1. */
const SKELETON = 0.6;
const COMMON = 0.5;
const LEAST_SHARE = 0.3;
const ERROR_SHARE = 0.5;
const LEAST_CASES = 5;
/** A short summary may be the same by right: that there is nothing new. */
const LEAST_SUMMARY_WORDS = 8;
/** A shorter answer is a word of the task, such as the name of a class: the same for many cases by right. */
const LEAST_ANSWER_WORDS = 6;
/** Where short answers vary as much as this, they follow the case. */
const VARIETY = 3;
/** More texts than this are not compared. */
const MOST_TEXTS = 200_000;
/** Texts that common shingles are counted over. */
const SAMPLE = 2000;
const SHOWN = 120;

const FREE_TEXT: ReadonlySet<ItemKind> = new Set<ItemKind>(['answer', 'summary']);

interface Answer {
  readonly case: string;
  readonly cluster: string | null;
  /** The text that it answers, hashed; null where there is none. */
  readonly asked: number | null;
  /** Shown as evidence. */
  readonly opening: string;
}

/** Free text that was written once and given to many cases, with or without some words put in. */
export class RepeatedAnswers {
  readonly #near = new NearTexts();
  readonly #answers: Answer[] = [];
  /** By the places of short answers, what they say literally. */
  readonly #short = new Map<number, number>();
  readonly #phrases: Phrases;
  readonly #texts: CaseTexts;
  #masked = 0;
  #notCompared = 0;

  constructor(phrases: Phrases, texts: CaseTexts) {
    this.#phrases = phrases;
    this.#texts = texts;
  }

  add(given: AuditCase): void {
    const { id, text, cluster, failed, verdicts } = given;
    if (failed !== null) return;
    for (const { predicted } of verdicts) {
      if (predicted === null || !FREE_TEXT.has(predicted.kind) || predicted.text.trim() === '') continue;
      this.#phrases.add(predicted.text, text);
      const words = maskedWords(predicted.text, this.#texts.wordsOf(given));
      if (predicted.kind === 'summary' && words.length < LEAST_SUMMARY_WORDS) continue;
      if (this.#answers.length >= MOST_TEXTS) {
        this.#notCompared += 1;
        continue;
      }
      if (isMasked(words)) this.#masked += 1;
      if (words.length < LEAST_ANSWER_WORDS)
        this.#short.set(this.#answers.length, sequenceKey(wordHashes(predicted.text)));
      this.#near.add(words);
      // Copied, since a slice would hold on to the whole answer.
      const opening = Buffer.from(predicted.text.slice(0, SHOWN)).toString();
      this.#answers.push({ case: id, cluster, asked: this.#texts.keyOf(given), opening });
    }
  }

  findings(): NewFinding[] {
    const repeated = this.#repeated();
    const skeleton = repeated.length < LEAST_SHARE * this.#answers.length ? this.#onSkeleton() : [];
    const places = repeated.length >= skeleton.length ? repeated : skeleton;
    const all = this.#answers.length;
    const cases = new Set(places.map((place) => this.#answers[place]!.case)).size;
    if (cases < LEAST_CASES || places.length < LEAST_SHARE * all) return [];
    const evidence = new Evidence();
    for (const place of places) {
      const { case: id, opening } = this.#answers[place]!;
      evidence.addItem({ case: id, side: 'predicted', label: null, text: opening, note: null });
    }
    const hasSlots = this.#masked >= places.length / 2;
    const how =
      places === skeleton
        ? 'most of their words stand in half of all answers'
        : hasSlots
          ? "they are the same once quotes and the case's own words are taken out"
          : 'they are the same or nearly so';
    const phrase = this.#phrases.modelPhrase();
    return [
      {
        severity: places.length >= ERROR_SHARE * all ? 'error' : 'warning',
        title: `${count(places.length)} of ${count(all)} answers (${percent(places.length, all)}) are one template given to ${count(cases)} cases: ${how}${this.#notCompared === 0 ? '' : `; ${count(this.#notCompared)} more were not compared`}`,
        why: `An answer that does not depend on the case is a stand-in, whatever it is rated: its figures are those of one text.${phrase === null ? '' : ` ${phrase}`}`,
        todo: 'Find the function that gave these answers: a placeholder, a fallback after a failed call, or a cache that answers everything. Score what the system says itself.',
        subjects: [],
        cases: evidence.cases,
        items: evidence.items,
      },
    ];
  }

  /** Places of answers that are alike across cases that differ. */
  #repeated(): number[] {
    const firsts = new Map<number, readonly number[]>();
    for (const group of this.#near.equal()) firsts.set(group[0]!, group);
    const found = new Set<number>();
    const keep = (places: readonly number[]): void => {
      const different = new Set(places.map((place) => this.#caseKey(place)));
      if (different.size >= LEAST_CASES) for (const place of places) found.add(place);
    };
    for (const { places } of this.#near.near(ALIKE)) {
      keep(places.flatMap((first) => firsts.get(first) ?? [first]));
      for (const first of places) firsts.delete(first);
    }
    const isVaried = new Set(this.#short.values()).size >= VARIETY;
    for (const group of firsts.values()) {
      if (!this.#short.has(group[0]!)) keep(group);
      else if (!isVaried) for (const own of Map.groupBy(group, (place) => this.#short.get(place)).values()) keep(own);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Cases with the same text, or of one origin, may have the same answer. */
  #caseKey(place: number): string {
    const { case: id, cluster, asked } = this.#answers[place]!;
    return cluster ?? (asked === null ? id : `text ${asked}`);
  }

  /** Places of answers that are mostly made of what half of all answers share. */
  #onSkeleton(): number[] {
    const own = this.#answers.flatMap((_, place) => {
      const shingles = this.#near.shingles(place);
      return shingles === null ? [] : [{ place, shingles }];
    });
    if (own.length < LEAST_CASES) return [];
    const frequency = new Map<number, number>();
    const sample = own.slice(0, SAMPLE);
    for (const { shingles } of sample)
      for (const shingle of shingles) frequency.set(shingle, (frequency.get(shingle) ?? 0) + 1);
    const least = COMMON * sample.length;
    const stands = ({ shingles }: { readonly shingles: Uint32Array }): boolean => {
      let common = 0;
      for (const shingle of shingles) if ((frequency.get(shingle) ?? 0) >= least) common += 1;
      return common >= SKELETON * shingles.length;
    };
    if (sample.filter(stands).length < LEAST_SHARE * sample.length) return [];
    return own.filter(stands).map(({ place }) => place);
  }
}
