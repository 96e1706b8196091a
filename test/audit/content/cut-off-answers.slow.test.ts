import { describe, expect, test } from 'vitest';

import { cutOffPredictions } from '../../../src/audit/checks/content/cut-off-answers.ts';
import type { Finding } from '../../../src/audit/finding.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { consultReader, readConsultFiles } from '../../../src/formats/consult/consult-reader.ts';
import { fileSource } from '../../../src/data/source.ts';
import type { Case } from '../../../src/data/case.ts';
import { noReference, referencePath } from '../../reference/reference-data.ts';
import { answered } from './answered.ts';
import { foundBy } from './found-by.ts';
import { Chance, paragraph } from './made-texts.ts';

/** Answers of very different lengths; a list at the end of some has no full stop. */
function answers(n: number, seed: number): string[] {
  const chance = new Chance(seed);
  return Array.from({ length: n }, (_, at) => {
    const text = paragraph(chance, 2 + chance.below(14));
    return at % 5 === 0 ? `${text}\n- warm milk\n- rest` : at % 7 === 0 ? `${text} Take care 🙂` : text;
  });
}

async function found(texts: readonly string[]): Promise<readonly Finding[]> {
  const cases: Case[] = answered(
    texts.map((_, at) => `Question ${at}?`),
    (_, at) => texts[at]!,
  );
  return (await foundBy([cutOffPredictions], 'consult/ayurmind', cases)).findings;
}

/** The first so many tokens: words and signs, as long words are several. */
function tokens(text: string, n: number): string {
  return text
    .match(/\s*(?:\w{1,5}|[^\w\s])/g)!
    .slice(0, n)
    .join('');
}

describe('answers that are cut off', () => {
  test.each([
    ['after so many characters, nearly all', 200],
    ['after so many characters, half of them', 420],
    ['after so many characters, a few', 600],
  ])('%s', async (_, n) => {
    const [finding, ...others] = await found(answers(80, 3).map((text) => text.slice(0, n)));
    expect(others).toEqual([]);
    expect(finding?.title).toMatch(new RegExp(`of 80 answers .* have exactly ${n} characters, none has more`));
    expect(['error', 'warning']).toContain(finding?.severity);
    expect(finding?.todo).toContain('maxOutputTokens');
    expect(finding?.items.shown[0]?.text).toMatch(/^….*[a-z ]$/s);
    expect(finding?.cases.total).toBeGreaterThan(4);
  });

  test.each<[string, (text: string) => string]>([
    ['…', (text) => `${text.slice(0, 400)}…`],
    ['three full stops', (text) => `${text.slice(0, 397)}...`],
    ['a word in brackets', (text) => `${text.slice(0, 400)} [truncated]`],
  ])('with %s in place of the rest', async (_, cut) => {
    const [finding, ...others] = await found(answers(80, 7).map((text) => (text.length > 400 ? cut(text) : text)));
    expect(others).toEqual([]);
    expect(finding?.title).toMatch(/of 80 answers .* none has more, and \d+ of them end within a sentence/);
  });

  test.each([420, 600, 700, 800])('after the last whole word before character %i', async (n) => {
    const texts = answers(80, 3).map((text) => (text.length > n ? text.slice(0, text.lastIndexOf(' ', n)) : text));
    const [finding, ...others] = await found(texts);
    expect(others).toEqual([]);
    expect(finding?.title).toMatch(new RegExp(`end within a sentence.*|exactly (?:${n}|${n - 1}) `));
  });

  test.each([40, 90, 140])('after %i tokens', async (n) => {
    const [finding, ...others] = await found(answers(80, 4).map((text) => tokens(text, n)));
    expect(others).toEqual([]);
    expect(finding?.title).toMatch(/longest answers .* end within a sentence/);
  });

  test('in characters beyond the basic plane, too', async () => {
    const texts = answers(60, 5).map((text) => [...text.replaceAll('the', '𝒕𝒉𝒆')].slice(0, 300).join(''));
    expect((await found(texts)).map(({ title }) => title)).toEqual([expect.stringContaining('exactly 300 characters')]);
  });

  test.each<[string, (at: number, text: string) => string]>([
    ['whole answers', (_, text) => text],
    ['lists without full stops, the longest of all', (at, text) => `${text}\n- ghee\n- ${'rest '.repeat(at)}well`],
    ['no full stop anywhere', (_, text) => text.replaceAll('.', ' and')],
    ['a script whose sentences end otherwise', (at, text) => `${text.replaceAll('.', '।')} यह उत्तर ${at} है।`],
    ['one answer given to all', () => `${'Eat warm meals and rest '.repeat(9)}well`],
    ['words that trail off', (at, text) => (at % 4 === 0 ? `${text} But who knows...` : `${text} Well…`)],
    ['codes of one length', (at) => `K${at}.9`.padEnd(12, '0')],
    ['the name of a source at the end', (at, text) => (at % 3 === 0 ? `${text} Source: Charaka Samhita` : text)],
  ])('are not seen in %s', async (_, change) => {
    expect(await found(answers(80, 6).map((text, at) => change(at, text)))).toEqual([]);
  });

  test.skipIf(noReference)('are found in published answers once these are cut, and not before', async () => {
    const plan = await planRecipe('consult/ayurmind', ['interval=off']);
    for (const system of ['vanilla_llm', 'single_agent_rag', 'ayurmind']) {
      const [own] = await readConsultFiles(
        fileSource(referencePath('consult/evaluation_cases.csv')),
        [{ system, source: fileSource(referencePath(`consult/results_${system}.jsonl`)) }],
        plan,
      );
      const cases = await Array.fromAsync(consultReader(own!, plan));
      expect((await foundBy([cutOffPredictions], plan, cases)).said, system).toEqual([]);
      // The answers of the first are a few texts, most of them short.
      if (system === 'vanilla_llm') continue;
      const lengths = cases.flatMap(({ logged = [] }) =>
        logged.flatMap(({ item }) => (item.kind === 'answer' ? [item.text.length] : [])),
      );
      const limit = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)]!;
      const cut = cases.map((one): Case => ({
        ...one,
        logged: (one.logged ?? []).map((logged) =>
          logged.item.kind === 'answer'
            ? { ...logged, item: { ...logged.item, text: logged.item.text.slice(0, limit) } }
            : logged,
        ),
      }));
      expect((await foundBy([cutOffPredictions], plan, cut)).said, system).toEqual(['cut-off-predictions error']);
    }
  });
});
