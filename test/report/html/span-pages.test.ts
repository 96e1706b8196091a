import { expect, it } from 'vitest';

import { readCases } from '../../../src/data/read-cases.ts';
import { memorySource } from '../../../src/data/source.ts';
import { errorTypes } from '../../../src/judge/error-types.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { CaseIndexMaker } from '../../../src/report/html/case-index.ts';
import { CasePageWriter } from '../../../src/report/html/case-page-writer.ts';
import { readCasePage } from '../../../src/report/html/case-page.ts';
import { Scoring } from '../../../src/score/score.ts';
import { spanDocuments } from '../../columns/span-documents.ts';

it.each([['pii/strict'], ['pii/partial', 'pair.partial=0.25'], ['pii/semeval'], ['pii/strict', 'judge.incorrect={}']])(
  'pages and index of spans in columns are those of their verdicts: %s %s',
  async (preset, ...set) => {
    const plan = await planRecipe(preset, ['interval=off', ...set.filter((line) => line !== undefined)]);
    const [fast, plain] = [new CasePageWriter(null), new CasePageWriter(null)];
    const [fastIndex, plainIndex] = [new CaseIndexMaker([['f1']]), new CaseIndexMaker([['f1']])];
    const [inColumns, asItems] = [new Scoring(plan), new Scoring(plan)];
    for await (const given of readCases({ cases: memorySource('d.jsonl', spanDocuments(300, 7)) }, plan.data)) {
      const { spans } = inColumns.add(given);
      fast.addSpans(spans!);
      fastIndex.addSpans(spans!);
      const [variant] = asItems.add({ ...given }).variants;
      const { result, verdicts } = variant!;
      const shown = { case: given.id, text: given.text ?? null, noText: null, runs: [{ result, verdicts }] };
      const errors = [errorTypes(verdicts)];
      plain.add(shown, errors);
      plainIndex.add(shown, errors);
    }
    expect(readCasePage(fast.take())).toEqual(readCasePage(plain.take()));
    expect(fastIndex.index()).toEqual(plainIndex.index());
  },
);
