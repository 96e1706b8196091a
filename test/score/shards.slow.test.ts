import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import type { CaseSources } from '../../src/data/read-cases.ts';
import { fileSource } from '../../src/data/source.ts';
import { parseShard } from '../../src/formats/shard-cases.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { presetNames } from '../../src/recipe/presets.ts';
import { mergeRun, scoreRun, scoreShard } from '../../src/report/score-run.ts';
import { canonicalJson } from '../../src/score/fingerprint.ts';
import { exportsNamed } from '../../src/score/file-exporter.ts';
import type { LedgerFormat } from '../../src/score/ledger-format.ts';
import { planOfShards, type Shards } from '../../src/score/merge-shards.ts';
import { example, temporaryFolder } from '../cli/run-assay.ts';
import { spanDocuments } from '../columns/span-documents.ts';

const QUICK = ['interval.resamples=100'];

type Files = Readonly<Record<'cases' | 'gold' | 'predictions', string | undefined>>;

function sources(files: Partial<Files>): CaseSources {
  return Object.fromEntries(Object.entries(files).map(([role, file]) => [role, file && fileSource(file)]));
}

/** The files of a folder, but for what is not the same every day. */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== 'timing.json');
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name)).toString('latin1')]));
}

interface Asked {
  readonly recipe: string;
  readonly set?: readonly string[];
  readonly exports?: string[];
  readonly texts?: 'full' | 'redacted' | 'none' | 'off';
}

async function shardFolders(files: Partial<Files>, of: number, asked: Asked): Promise<string[]> {
  const { recipe, set = QUICK, exports = [], texts = 'full' } = asked;
  const folder = temporaryFolder();
  const plan = await planRecipe(recipe, set);
  const folders: string[] = [];
  for (let number = 1; number <= of; number += 1) {
    const out = join(folder, `part-${number}`);
    await scoreShard(plan, sources(files), { number, of }, { out, set, exports, texts });
    folders.push(out);
  }
  return folders;
}

async function expectSame(files: Partial<Files>, shards: readonly number[], asked: Asked, ledger?: LedgerFormat) {
  const { recipe, set = QUICK, texts = 'full' } = asked;
  const folder = temporaryFolder();
  const plan = await planRecipe(recipe, set);
  const format = ledger === undefined ? {} : { ledger };
  await scoreRun(plan, sources(files), {
    out: join(folder, 'one'),
    set,
    texts,
    ...exportsNamed(asked.exports ?? []),
    ...format,
  });
  const whole = contents(join(folder, 'one'));
  for (const of of shards) {
    const out = join(folder, `merged-${of}`);
    const parts = await shardFolders(files, of, asked);
    await mergeRun(parts.toReversed(), { out, recipe, ...format });
    const merged = contents(out);
    expect(Object.keys(merged)).toEqual(Object.keys(whole));
    for (const [name, content] of Object.entries(whole))
      expect({ of, name, isSame: merged[name] === content }).toEqual({ of, name, isSame: true });
  }
}

const JOURNAL = {
  cases: example('journal/journals.jsonl'),
  gold: example('journal/gold.jsonl'),
  predictions: example('journal/predictions.jsonl'),
};
const GRAPH = { gold: example('graph/items.jsonl'), predictions: example('graph/outputs.jsonl') };
const spans = (type: string) => ({
  gold: example(`pii/gold.${type}`),
  predictions: example(`pii/predictions.${type}`),
});
const COLUMNS = ['id=document', 'start=from', 'end=to', 'label=category', 'text=surface'].map((pair) => {
  const [part = '', column = ''] = pair.split('=');
  return `data.columns.${part}="${column}"`;
});

function written(text: string | Buffer, name = 'documents.jsonl'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** Lines with all that lines may have: blank ones, other line ends, failures, and fields that plain spans do not have. */
function oddDocuments(): string {
  const lines = spanDocuments(60, 5).trimEnd().split('\n');
  return lines
    .map((line, at) => {
      if (at % 11 === 3) return JSON.stringify({ id: `failed-${at}`, text: 'a b c', gold: [], error: 'too long' });
      if (at % 7 === 2) return line.replace('{"id"', '{"author":"Bo","id"');
      return at % 5 === 1 ? `${line}\r\n\n  ` : line;
    })
    .join('\n');
}

describe('shards merged are the run, to the byte', () => {
  it.each(['pii/strict', 'pii/piranha', 'pii/semeval', 'pii/token'])('documents of plain spans: %s', (recipe) =>
    expectSame({ cases: written(spanDocuments(60, 3)) }, recipe === 'pii/strict' ? [1, 3, 7] : [3], { recipe }),
  );

  it('lines of all sorts, more shards than lines', () =>
    expectSame({ cases: written(oddDocuments()) }, [7, 70], { recipe: 'pii/strict' }));

  it('failed answers that count as empty', () =>
    expectSame({ cases: written(oddDocuments()) }, [3], {
      recipe: 'pii/partial',
      set: [...QUICK, 'data.failed=empty'],
    }));

  it('a compressed file', () =>
    expectSame({ cases: written(gzipSync(oddDocuments()), 'd.jsonl.gz') }, [3], { recipe: 'pii/exact' }));

  it('a JSON array', () => expectSame({ cases: example('pii/docs.json') }, [3], { recipe: 'pii/piranha' }));

  it('three files with the files of other tools', () =>
    expectSame(JOURNAL, [1, 3, 7], { recipe: 'journal/ashwam', exports: ['journal-scores'] }));

  it('entities and relationships', () => expectSame(GRAPH, [3], { recipe: 'graph/openspec' }));

  it('a table', () => expectSame(spans('csv'), [3], { recipe: 'pii/semeval', set: [...QUICK, ...COLUMNS] }));

  it('tagged tokens', () => expectSame(spans('bio'), [3], { recipe: 'pii/strict' }));

  it('user code', () =>
    expectSame({ gold: example('custom/gold.jsonl'), predictions: example('custom/predictions.jsonl') }, [2], {
      recipe: example('custom/recipe.yaml'),
    }));

  it.each(['redacted', 'none', 'off'] as const)('texts: %s', (texts) =>
    expectSame({ cases: written(spanDocuments(20, 8)) }, [3], { recipe: 'pii/strict', texts }),
  );

  it.each(['gzip', 'zstd', 'parquet'] as const)('ledger as %s', (ledger) =>
    expectSame({ cases: written(oddDocuments()) }, [3], { recipe: 'pii/semeval' }, ledger),
  );
});

describe('the recipe of shards', () => {
  it.each(presetNames())('is complete in them: %s', async (preset) => {
    const { resolved, about, source } = await planRecipe(preset, QUICK);
    const recipe = { name: 'mine.yaml', about, set: QUICK, resolved: JSON.parse(JSON.stringify(resolved)) as object };
    const read = JSON.parse(JSON.stringify(source)) as object;
    const plan = await planOfShards([{ folder: '', record: { recipe, source: read } }] as unknown as Shards);
    expect(plan.name).toBe('mine.yaml');
    expect(canonicalJson(JSON.parse(JSON.stringify(plan.resolved)))).toBe(canonicalJson(recipe.resolved));
  });
});

describe('shards that do not make a run', () => {
  const DOCUMENTS = spanDocuments(30, 4);
  const strict = (of: number, text = DOCUMENTS, set: readonly string[] = QUICK) =>
    shardFolders({ cases: written(text) }, of, { recipe: 'pii/strict', set });
  const merge = (folders: readonly string[]) => mergeRun(folders, { out: join(temporaryFolder(), 'run') });
  const refusal = async (folders: readonly string[]): Promise<string> =>
    merge(folders).then(
      () => 'merged',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );

  it('are refused with the list of those that are missing', async () => {
    const parts = await strict(7);
    const message = await refusal([1, 3, 5].map((at) => parts[at]!));
    expect(message).toContain('missing of 7 shards: 1, 3, 5, 7');
  });

  it('are refused with those that are there twice', async () => {
    const parts = await strict(3);
    const message = await refusal([...parts, parts[1]!]);
    expect(message).toContain(`shard 2 is there 2 times: ${parts[1]!}, ${parts[1]!}`);
  });

  it('are refused where one is of another recipe, another setting, other files or another number', async () => {
    const parts = await strict(3);
    const others = [
      ...(await strict(3, DOCUMENTS, ['interval.resamples=200'])).slice(2),
      ...(await strict(3, DOCUMENTS.replace('d0', 'e0'))).slice(2),
      ...(await strict(4)).slice(2, 3),
    ];
    const expected = ['the recipe', 'the files that were scored', 'the number of shards'];
    for (const [at, other] of others.entries())
      expect(await refusal([parts[0]!, parts[1]!, other])).toContain(
        `${other} (shard 3/${at === 2 ? 4 : 3}) differs in ${expected[at]!}`,
      );
  });

  it('are refused where a file was changed, cut off or is missing', async () => {
    for (const [file, message] of [
      ['ledger.jsonl', 'was changed after it was scored'],
      ['state.bin', 'was changed after it was scored'],
      ['shard.json', 'shard.json'],
    ] as const) {
      const parts = await strict(2);
      writeFileSync(join(parts[1]!, file), readFileSync(join(parts[1]!, file)).subarray(0, -3));
      expect(await refusal(parts)).toContain(message);
    }
    expect(await refusal([temporaryFolder()])).toContain('is not a shard: it has no shard.json');
    expect(await refusal(['no-such-shard'])).toContain('no such folder: no-such-shard');
  });

  it('are refused where an id comes again in another shard', async () => {
    const parts = await strict(2, DOCUMENTS.replace('"d29"', '"d1"'));
    expect(await refusal(parts)).toContain('the id "d1" was given before in this file');
  });

  it('are refused where none has a prediction', async () => {
    const set = [...QUICK, 'data.missingPrediction=empty'];
    const parts = await strict(2, DOCUMENTS.replaceAll('"predicted"', '"other"'), set);
    expect(await refusal(parts)).toContain('no predictions in any shard');
  });
});

describe('parseShard', () => {
  it('takes a number and how many there are', () => {
    expect(parseShard('3/16')).toEqual({ number: 3, of: 16 });
  });

  it.each(['0/3', '4/3', '3', 'a/b', '1/0', '-1/3', '1/2/3', '1/9999999'])('refuses %s', (given) => {
    expect(() => parseShard(given)).toThrow('expected NUMBER/SHARDS');
  });
});
