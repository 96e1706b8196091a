import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from 'vitest';

import { fileSource, memorySource } from '../../src/data/source.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { repeatsDocument } from '../../src/report/repeats.ts';
import { makeStyle } from '../../src/report/style.ts';
import { repeatFiles, type Repeats } from '../../src/compare/repeats/repeats.ts';
import { noReference, referencePath } from './reference-data.ts';

interface Journal {
  readonly journal_id: string;
  readonly text: string;
}

function records(file: string): Journal[] {
  const lines = readFileSync(referencePath(`journal/${file}`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Journal);
}

const files = () => ({
  cases: fileSource(referencePath('journal/repeated_runs/journals.jsonl')),
  predictions: [1, 2, 3].map((at) => fileSource(referencePath(`journal/repeated_runs/run${at}.jsonl`))),
});

/** The gold of the journals with the same texts, which go by other ids there. */
function goldByText(): string {
  const ids = new Map(records('repeated_runs/journals.jsonl').map(({ journal_id: id, text }) => [text, id]));
  const renamed = new Map(
    records('journals.jsonl').flatMap(({ journal_id: id, text }) => {
      const own = ids.get(text);
      return own === undefined ? [] : [[id, own] as const];
    }),
  );
  return records('gold.jsonl')
    .filter(({ journal_id: id }) => renamed.has(id))
    .map((record) => JSON.stringify({ ...record, journal_id: renamed.get(record.journal_id) }))
    .join('\n');
}

describe.skipIf(noReference)('repeated runs of the reference extractor', () => {
  let repeats: Repeats;
  beforeAll(async () => {
    repeats = await repeatFiles('journal/ashwam', files());
  });

  test('21 of 26 objects are found in every run', () => {
    // Worked out apart in Python: word overlap of at least 0.5 within a domain, best first, one object of each run.
    expect(repeats.items?.kinds).toMatchObject([{ items: 26, inAllRuns: 21, byRuns: [1, 4, 21] }]);
    expect(repeats.items?.kinds[0]?.labels.map(({ label, items, inAllRuns }) => [label, items, inAllRuns])).toEqual([
      ['symptom', 9, 8],
      ['emotion', 6, 4],
      ['food', 6, 5],
      ['mind', 5, 4],
    ]);
  });

  test('the objects that come and go, with the runs that have them', () => {
    const found = repeats.items?.comeAndGo.map(({ case: id, label, text, runs }) => [
      id,
      label,
      text,
      runs.flatMap((one, at) => (one === null ? [] : [at + 1])),
    ]);
    expect(found).toEqual([
      ['B001', 'food', 'Lunch was rice + dal + achar', [1, 3]],
      ['B003', 'emotion', 'Mood was actually good—felt calm and grateful', [2, 3]],
      ['B003', 'emotion', 'felt calm and grateful', [1]],
      ['B003', 'mind', 'Brain felt clear, focused while reading', [1, 3]],
      ['B005', 'symptom', 'a slight nausea', [1, 2]],
    ]);
    // The two calm moods are one in other words: 3 of 8 words in common are too few for the recipe, and it is said.
    expect(repeats.items?.comeAndGo[1]?.near).toEqual({
      label: 'emotion',
      text: 'felt calm and grateful',
      similarity: 0.375,
      why: 'similarity 0.375 is under 0.5',
    });
  });

  test('one polarity flips: "but not sad" is absent, present, absent', () => {
    const polarity = repeats.items?.flips.filter(({ attribute }) => attribute === 'polarity') ?? [];
    expect(polarity.filter(({ change }) => change === 'flip')).toMatchObject([
      { case: 'B004', label: 'emotion', text: 'but not sad', values: ['absent', 'present', 'absent'] },
    ]);
    // Another goes over to "uncertain", which contradicts nothing.
    expect(polarity.filter(({ change }) => change === 'undecided')).toMatchObject([
      { case: 'B002', label: 'symptom', text: 'like tightness', values: ['present', 'present', 'uncertain'] },
    ]);
    expect(repeats.items?.attributes).toMatchObject([
      { attribute: 'polarity', compared: 25, flips: 1, undecided: 1 },
      { attribute: 'intensity', compared: 20, flips: 8, undecided: 0 },
      { attribute: 'arousal', compared: 5, flips: 4, undecided: 0 },
      { attribute: 'time', compared: 25, flips: 1, undecided: 0 },
    ]);
  });

  test('the report shows them', () => {
    const text = renderTerminal(repeatsDocument(repeats), makeStyle());
    for (const line of [
      '  B001  food     ● · ●  "Lunch was rice + dal + achar"',
      '  B003  mind     ● · ●  "Brain felt clear, focused while reading"',
      '  B005  symptom  ● ● ·  "a slight nausea"',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).toMatch(/^ {2}B004 {2}emotion {2}polarity {3}absent, present, absent +"but not sad"$/m);
  });

  test('measured against the gold of the same texts', async () => {
    const gold = memorySource('gold', goldByText());
    const measured = await repeatFiles('journal/ashwam', { ...files(), gold });
    // numpy 2.4.6: mean, std(ddof=1), the mean of the runs' std over cases, and 1 - ICC(1,1); scipy 1.17.1: t.ppf.
    const expected = {
      precision: [[0.96, 1, 1], 0.9866666666666667, 0.023094010767585053, 0.02981423969999719, 1, 0.14052404971039145],
      recall: [
        [0.96, 0.92, 0.96],
        0.9466666666666667,
        0.023094010767584987,
        0.09614331656700544,
        0.9473684210526314,
        0.14052404971039106,
      ],
      f1: [
        [0.96, 0.9583333333333334, 0.9795918367346939],
        0.9659750566893424,
        0.011821885151999051,
        0.06666372684833513,
        0.863813229571985,
        0.07193463246764441,
      ],
      polarity_accuracy: [
        [1, 0.9565217391304348, 0.9583333333333334],
        0.9716183574879227,
        0.024595908036734646,
        0.05962847939999438,
        1,
        0.14966289911311687,
      ],
    } as const;
    for (const [name, [values, mean, sd, caseSd, share, limit]] of Object.entries(expected)) {
      const found = measured.measures.find((measure) => measure.name === name)!;
      values.forEach((value, at) => expect(found.values[at]?.value, name).toBeCloseTo(value, 12));
      expect(found.runs.mean, name).toBeCloseTo(mean, 12);
      expect(found.runs.sd, name).toBeCloseTo(sd, 12);
      expect(found.cases?.meanSd, name).toBeCloseTo(caseSd, 12);
      expect(found.parts?.runShare, name).toBeCloseTo(share, 12);
      expect(found.limit.value, name).toBeCloseTo(limit, 10);
    }
    expect(measured.items?.kinds).toEqual(repeats.items?.kinds);
    expect(measured.gold?.counts).toEqual({ always: 21, sometimes: 4, never: 0, excused: 0 });
    expect(measured.gold?.items.filter(({ found }) => found === 'sometimes').map(({ text }) => text)).toEqual([
      'Lunch was rice + dal + achar',
      'Mood was actually good—felt calm and grateful',
      'Brain felt clear, focused while reading',
      'a slight nausea',
    ]);
  });
});
