import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readVariant, variantNames } from '../../../src/stream/replay/read-variant.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-variants-'));
  mkdirSync(join(folder, 'variants'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  writeFileSync(join(folder, 'variants', `${name}.yaml`), text);
  return folder;
}

describe('variants', () => {
  test('five ship, with the settings of the specification', () => {
    expect(variantNames(null)).toEqual(['V0', 'V1', 'V2', 'V3', 'V4']);
    const gate = { minWords: 60, maxWords: 100, silenceMs: 1000, maxWaitMs: 4000, maxWait: 'every-buffer' };
    expect(readVariant('V0', null)).toMatchObject({
      trigger: { kind: 'gate', gate },
      bufferAgent: { novelty: true },
      summarizeTail: false,
      historyK: 3,
    });
    expect(readVariant('V1', null)).toMatchObject({ trigger: { kind: 'turn-end' }, bufferAgent: null });
    expect(readVariant('V2', null)).toMatchObject({
      trigger: { kind: 'gate', gate },
      bufferAgent: null,
      summarizeTail: true,
    });
    expect(readVariant('V3', null)).toMatchObject({
      trigger: { kind: 'fixed-ctu', chunkCtu: 126 },
      bufferAgent: { novelty: true },
    });
    expect(readVariant('V4', null)).toMatchObject({ trigger: { kind: 'gate', gate }, bufferAgent: { novelty: false } });
  });

  test('a line is changed by its short name, by its path, or for one variant alone', () => {
    const set = ['minWords=40', 'components.token_gate.max_words=80', 'V2.silence=2', 'gate.maxWait=first-buffer-only'];
    const of = (name: string): unknown => readVariant(name, null, set).trigger;
    expect(of('V0')).toMatchObject({
      gate: { minWords: 40, maxWords: 80, silenceMs: 1000, maxWait: 'first-buffer-only' },
    });
    expect(of('V2')).toMatchObject({ gate: { silenceMs: 2000 } });
  });

  test('a fixed trigger goes by time or by size, not by both', () => {
    const { trigger, notices } = readVariant('V3', null, ['chunkCtu=null', 'intervalSeconds=2.5']);
    expect(trigger).toEqual({ kind: 'fixed-time', intervalMs: 2500 });
    expect(notices).toEqual([]);
    expect(() => readVariant('V3', null, ['V3.intervalSeconds=2.5'])).toThrow(
      '2.5 s, but chunk_size_ctu is 126: a fixed trigger goes by time or by size',
    );
    expect(() => readVariant('V3', null, ['intervalSeconds=0'])).toThrow(/interval_seconds/);
    // A file that names none has the hash of its settings that it had before there were intervals.
    expect(readVariant('V3', null).resolved.fixed_trigger).toEqual({ enabled: true, chunk_size_ctu: 126 });
    const config = written(
      'V3',
      'variant_id: V3\ncomponents: { token_gate: { enabled: false } }\nfixed_trigger: { enabled: true, chunk_size_ctu: null, interval_seconds: 10 }\n',
    );
    expect(readVariant('V3', config)).toMatchObject({
      trigger: { kind: 'fixed-time', intervalMs: 10_000 },
      notices: [],
    });
  });

  test('a chunk that is not said is the published one, and that is said', () => {
    const config = written(
      'V3',
      'variant_id: V3\ncomponents: { token_gate: { enabled: false } }\nfixed_trigger: { enabled: true, chunk_size_ctu: null }\n',
    );
    const { trigger, notices } = readVariant('V3', config);
    expect(trigger).toEqual({ kind: 'fixed-ctu', chunkCtu: 126 });
    expect(notices).toEqual([expect.stringMatching(/^V3 names no chunk size: 126 CTU/)]);
    expect(readVariant('V3', config, ['chunkCtu=90'])).toMatchObject({ trigger: { chunkCtu: 90 } });
  });

  test.each([
    ['V9', [], /there is no variant V9 among those that ship/],
    ['V0', ['minWord=3'], /--set minWord=3: there is no setting called minWord/],
    ['V0', ['minWords=none'], /min_words=none: expected a number, found "none"/],
    ['V0', ['minWords=200'], /200 is more than max_words, 100/],
    ['V0', ['components.token_gate.enabled=false'], /no trigger is enabled/],
    ['V0', ['maxWait=sometimes'], /expected one of every-buffer, first-buffer-only, found "sometimes"/],
  ])('%s with %j is refused: %s', (name, set, message) => {
    expect(() => readVariant(name, null, set)).toThrow(message);
  });

  test('a mistake in a file is named with its line', () => {
    const config = written('V5', 'variant_id: V5\ncomponents:\n  token_gate:\n    min_words: many\n');
    expect(() => readVariant('V5', config)).toThrow(/V5\.yaml:4.*expected a number, found "many"/);
    const other = written('V6', 'variant_id: V7\ncomponents: {}\n');
    expect(() => readVariant('V6', other)).toThrow(/it is V7, but the file is called V6\.yaml/);
  });
});
