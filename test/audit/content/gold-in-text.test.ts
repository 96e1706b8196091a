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
const KEYS: Readonly<Record<string, (gold: readonly Item[]) => string>> = {
  'JSON, label before text': (gold) => JSON.stringify(gold.map(fields)),
  'JSON, label behind text': (gold) =>
    JSON.stringify(gold.map(({ start, end, label, text }) => ({ text, start, end, label }))),
  'JSON in lines': (gold) => JSON.stringify(gold.map(fields), null, 2),
  tuples: (gold) => gold.map(({ label, text }) => `('${text}', '${label}')`).join(', '),
  CSV: (gold) => gold.map(({ label, text }) => `${text},${label}`).join('\n'),
  brat: (gold) => gold.map(({ label, start, end, text }, at) => `T${at}\t${label} ${start} ${end}\t${text}`).join('\n'),
  'a list after a German heading': (gold) => `Musterlösung: ${gold.map(({ text }) => text).join(', ')}`,
  'a list after a French heading': (gold) => `Réponse attendue : ${gold.map(({ text }) => text).join(', ')}`,
  'a list after a Spanish heading': (gold) => `Solución: ${gold.map(({ text }) => text).join(', ')}`,
  'a list after "Expected"': (gold) => `Expected: ${gold.map(({ text }) => text).join(', ')}`,
};

test.each(Object.keys(KEYS))('an answer key is an error: %s', async (name) => {
  expect(await severities((text, gold) => `${text}\n${KEYS[name]!(gold)}`)).toEqual(['error']);
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
  ['a record of something else', (text, gold) => `${text}\n{"page": 3, "of": "${gold[0]?.text ?? ''}"}`],
])('no key is %s', async (_, change) => {
  expect(await severities(change)).toEqual([]);
});
