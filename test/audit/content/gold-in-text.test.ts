import { expect, test } from 'vitest';

import { goldInText } from '../../../src/audit/checks/content/gold-in-text.ts';
import type { Case } from '../../../src/data/case.ts';
import type { Item } from '../../../src/data/item.ts';
import { look } from '../audited.ts';
import { cleanDocuments, cleanJournals } from '../clean-sets.ts';

async function severities(change: (text: string, gold: readonly Item[]) => string): Promise<string[]> {
  const cases = cleanDocuments(40, 8).map((own): Case => ({ ...own, text: change(own.text ?? '', own.gold) }));
  return (await look(goldInText, 'spans/strict', cases)).findings.map(({ severity }) => severity);
}

const fields = ({ start, end, label, text }: Item) => ({ start, end, label, text });
/** The texts of each label. */
const byLabel = (gold: readonly Item[]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(gold, ({ label }) => label)].map(([label, items]) => [label, items.map(({ text }) => text)]),
  );
const KEYS: Readonly<Record<string, (gold: readonly Item[]) => string>> = {
  'JSON, label before text': (gold) => JSON.stringify(gold.map(fields)),
  'JSON, label behind text': (gold) =>
    JSON.stringify(gold.map(({ start, end, label, text }) => ({ text, start, end, label }))),
  'JSON in lines': (gold) => JSON.stringify(gold.map(fields), null, 2),
  tuples: (gold) => gold.map(({ label, text }) => `('${text}', '${label}')`).join(', '),
  CSV: (gold) => gold.map(({ label, text }) => `${text},${label}`).join('\n'),
  brat: (gold) => gold.map(({ label, start, end, text }, at) => `T${at}\t${label} ${start} ${end}\t${text}`).join('\n'),
  'JSON, a list for each label': (gold) => JSON.stringify(byLabel(gold)),
  'JSON, a list for each label, in lines': (gold) => JSON.stringify(byLabel(gold), null, 2),
  'a line for each label': (gold) =>
    Object.entries(byLabel(gold))
      .map(([label, texts]) => `${label}s: ${texts.join(', ')}`)
      .join('\n'),
  'a list after a German heading': (gold) => `Musterlösung: ${gold.map(({ text }) => text).join(', ')}`,
  'a list after a French heading': (gold) => `Réponse attendue : ${gold.map(({ text }) => text).join(', ')}`,
  'a list after a Spanish heading': (gold) => `Solución: ${gold.map(({ text }) => text).join(', ')}`,
  'a list after "Expected"': (gold) => `Expected: ${gold.map(({ text }) => text).join(', ')}`,
};

test.each(Object.keys(KEYS))('an answer key is an error: %s', async (name) => {
  expect(await severities((text, gold) => `${text}\n${KEYS[name]!(gold)}`)).toEqual(['error']);
});

/** A text with something around each annotated place, which moves to it. */
function marked({ text, gold, ...rest }: Case, mark: (item: Item) => readonly [before: string, after: string]): Case {
  let [out, from] = ['', 0];
  const items = [...gold]
    .sort((a, b) => a.start - b.start)
    .map((item): Item => {
      const [before, after] = mark(item);
      out += `${text!.slice(from, item.start)}${before}`;
      const start = out.length;
      out += `${item.text}${after}`;
      from = item.end;
      return { ...item, start, end: start + item.text.length };
    });
  return { ...rest, text: out + text!.slice(from), gold: items, predicted: [] };
}

test.each<[string, string, (item: Item) => readonly [string, string]]>([
  ['error', 'tags', ({ label }) => [`<${label}>`, `</${label}>`]],
  ['error', 'tags in small letters', ({ label }) => [`<${label.toLowerCase()}>`, `</${label.toLowerCase()}>`]],
  ['error', 'links', ({ label }) => ['[', `](${label})`]],
  ['error', 'a label in brackets', ({ label }) => ['', ` [${label}]`]],
  ['error', 'a label behind a slash', ({ label }) => ['', `/${label}`]],
  ['', 'a word that is the label in small letters', ({ label }) => ['', ` (${label.toLowerCase()})`]],
  ['', 'no markup of labels', () => ['<b>', '</b>']],
])('%s: %s around the annotated places', async (severity, _, mark) => {
  const cases = cleanDocuments(40, 8).map((own) => marked(own, mark));
  const { findings } = await look(goldInText, 'spans/strict', cases);
  expect(findings.map((finding) => finding.severity).join()).toBe(severity);
});

test('fields of other names, and quotes without a place, are found in JSON too', async () => {
  const cases = cleanJournals(40, 8).map((own): Case => {
    const items = own.gold.map(({ label, text }) => ({ domain: label, evidence_span: text, polarity: 'present' }));
    return { ...own, text: `${own.text ?? ''}\n${JSON.stringify(items)}` };
  });
  expect((await look(goldInText, 'journal/ashwam', cases)).findings.map(({ severity }) => severity)).toEqual(['error']);
});

test.each<[string, (text: string, gold: readonly Item[]) => string]>([
  ['nothing but the text', (text) => text],
  [
    'the names once more',
    (text, gold) => `${text} They know ${gold.map(({ text: own }) => own).join(', ')}, and others.`,
  ],
  [
    'a label in a sentence',
    (text, gold) => `${text} ${gold.map(({ text: own }) => `${own}, a person, left.`).join(' ')}`,
  ],
  [
    'a label before a colon in a sentence',
    (text, gold) => `${text} The person: he said so, and ${gold.map(({ text: own }) => own).join(' and ')} left.`,
  ],
  ['a record of something else', (text, gold) => `${text}\n{"page": 3, "of": "${gold[0]?.text ?? ''}"}`],
])('no key is %s', async (_, change) => {
  expect(await severities(change)).toEqual([]);
});
