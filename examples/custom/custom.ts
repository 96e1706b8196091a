import { defineCheck, defineFormat, defineMeasure, defineRule, defineSimilarity } from 'assay';

/** Recall of what is long enough to be worth redacting. */
export const longRecall = defineMeasure({
  name: 'long_recall',
  about: 'gold of at least `min` characters that was hit / all such gold',
  params: { min: 8 },
  over: ({ verdict, gold, credit }, { min }) => (verdict === 'hit' && length(gold) >= min ? credit : 0),
  under: ({ verdict, gold }, { min }) => Number(verdict !== 'excused' && length(gold) >= min),
  nothing: 'no gold is that long',
});

/** A single letter is not personal data. */
export const excuseShort = defineRule({
  stage: 'judge',
  name: 'excuse-short',
  about: 'spurious predictions below `min` characters are excused',
  params: { min: 3 },
  judge: ({ verdict, predicted }, { min }) =>
    verdict === 'spurious' && length(predicted) < min
      ? { verdict: 'excused', because: `shorter than ${min} characters` }
      : null,
});

/** Annotators disagree on titles ("Dr. Ada Lovelace"), not on the last word of a name. */
export const lastWord = defineSimilarity({
  name: 'last-word',
  about: '1 if both end at the same place and in the same word, else 0',
  compare: (gold, predicted) =>
    Number(gold.end === predicted.end && wordsOf(gold).at(-1) === wordsOf(predicted).at(-1)),
});

/** The export of our annotation tool: `{"key": …, "body": …, "tags": [[from, to, kind], …]}`. */
export const taggedNotes = defineFormat({
  name: 'tagged-notes',
  about: 'one note per line with a list of [from, to, kind]',
  example: '{"key":"n1","body":"Ann met Bo.","tags":[[0,3,"PERSON"]]}',
  as: 'spans',
  detects: (record) => 'key' in record && 'tags' in record,
  convert: ({ key, body, tags }) => ({
    id: key,
    text: body,
    spans: Array.isArray(tags) ? tags.map(spanOf) : tags,
  }),
});

/** A system that never predicts the same label twice in a note is most likely cut off after the first. */
export const oneEach = defineCheck({
  name: 'one-of-each-label',
  about: 'predictions that never have a label twice although gold does',
  open({ keep }) {
    // What is kept can be joined with that of other shards: flags that are set stay set, numbers add up.
    const isTwice = keep({ gold: false, predicted: false });
    return {
      case({ verdicts }) {
        for (const side of ['gold', 'predicted'] as const) {
          const labels = verdicts.flatMap(({ [side]: item }) => item?.label ?? []);
          isTwice[side] ||= new Set(labels).size < labels.length;
        }
      },
      find: () =>
        isTwice.predicted || !isTwice.gold
          ? null
          : {
              severity: 'warning',
              title: 'no note has a label twice in the predictions, and some have in gold',
              why: 'The system may stop after the first item of a label, and recall shows that as ordinary misses.',
              todo: 'Look at the raw answers of a note that has a label twice.',
            },
    };
  },
});

/** What is not such a list is left to the checks of the format `spans`. */
function spanOf(tag: unknown): unknown {
  return Array.isArray(tag) ? { start: tag[0] as unknown, end: tag[1] as unknown, label: tag[2] as unknown } : tag;
}

function length(item: { readonly text: string } | null): number {
  return item === null ? 0 : item.text.length;
}

function wordsOf({ text }: { readonly text: string }): string[] {
  return text.split(/\s+/);
}
