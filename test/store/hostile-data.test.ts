import { DatabaseSync } from 'node:sqlite';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { DEEPEST_JSON } from '../../src/store/cells.ts';
import { StoreConflict } from '../../src/store/store-conflict.ts';
import { ALL, scratchFolder, scratchStore } from './scratch-store.ts';

/** As it comes over HTTP: keys such as __proto__ are the object's own there. */
function parsed(text: string): unknown {
  return JSON.parse(text);
}

it('any JSON comes back as it was', () => {
  const store = scratchStore();
  store.datasets.save({ name: 'd' });
  const comesBack = fc.property(fc.json({ depthSize: 'large', stringUnit: 'binary' }), (source) => {
    const value = parsed(source);
    store.datasets.saveItems('d', [{ id: 'a', input: value }]);
    expect(JSON.stringify(store.datasets.item('a')?.input)).toBe(JSON.stringify(value));
  });
  // In one transaction, so that the disk is waited for once.
  store.transaction(() => fc.assert(comesBack, { numRuns: 200, seed: 5 }));
});

it('keys that mean something to JavaScript are keys like any other', () => {
  const { traces } = scratchStore();
  const text = '{"__proto__":{"polluted":true},"constructor":1,"toString":null,"":{"__proto__":[]}}';
  traces.save({ id: 't', input: parsed(text), metadata: parsed(text) });
  expect(JSON.stringify(traces.get('t')?.input)).toBe(text);
  expect(JSON.stringify(traces.get('t')?.metadata)).toBe(text);
  expect({}).not.toHaveProperty('polluted');
});

/** Half a surrogate pair, a zero character, and what looks like the end of a statement. */
const NASTY = [
  '\ud800',
  'a\udc00b',
  '\ud83d\ud83d',
  'a\u0000b',
  '\u0000',
  "'; DROP TABLE traces; --",
  '%_?',
  '\ufeff\u2028',
];

it('texts that are no Unicode come back, as ids, names and values, and are told apart', () => {
  const { traces, scores, datasets, prompts } = scratchStore();
  for (const text of NASTY) {
    traces.save({ id: text, name: text, userId: text, tags: [text], input: { [text]: text } });
    scores.save({ id: text, name: text, value: text, comment: text, traceId: text });
    datasets.save({ name: text, description: text });
    datasets.saveItems(text, [{ id: text, input: text }]);
    prompts.create({ name: text, type: 'text', prompt: text, labels: [text], tags: [text], commitMessage: text });
  }
  expect(traces.list({}, ALL).total).toBe(NASTY.length);
  for (const text of NASTY) {
    expect(traces.get(text)).toMatchObject({ id: text, name: text, tags: [text], input: { [text]: text } });
    expect(traces.list({ name: text, userId: text, tags: [text] }, ALL).rows.map((one) => one.id)).toEqual([text]);
    expect(scores.list({ ids: [text], names: [text] }, ALL).rows).toMatchObject([{ comment: text, stringValue: text }]);
    expect(scores.ofTrace(text)).toHaveLength(1);
    expect(datasets.get(text)?.description).toBe(text);
    expect([...datasets.items(text)]).toMatchObject([{ id: text, input: text }]);
    expect(prompts.get(text, { label: text })).toMatchObject({ prompt: text, commitMessage: text, tags: [text] });
    expect(prompts.get(text, { label: text })?.labels).toContain(text);
  }
});

function nested(depth: number, open = '[', close = ']'): unknown {
  return parsed(open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth));
}

it('JSON is kept to a depth that nothing falls over, and refused beyond', () => {
  const store = scratchStore();
  store.datasets.save({ name: 'd' });
  for (const value of [
    nested(DEEPEST_JSON),
    nested(DEEPEST_JSON, '{"a":', '}'),
    '['.repeat(100_000),
    { '"[[{': '\\"[' },
  ]) {
    store.datasets.saveItems('d', [{ id: 'a', input: value }]);
    expect(JSON.stringify(store.datasets.item('a')?.input)).toBe(JSON.stringify(value));
  }
  store.datasets.version('d');
  for (const value of [nested(DEEPEST_JSON + 1), nested(DEEPEST_JSON + 1, '{"a":', '}'), nested(1_000_000)]) {
    expect(() => store.datasets.saveItems('d', [{ id: 'a', input: value }])).toThrow(StoreConflict);
    expect(() => store.traces.save({ id: 't', metadata: value })).toThrow('1000 levels');
  }
  expect(store.traces.get('t')).toBeNull();
});

it('what JSON cannot hold is refused', () => {
  const { traces } = scratchStore();
  const circle: Record<string, unknown> = {};
  circle['circle'] = circle;
  for (const value of [circle, 1n, { big: 1n }, () => 1, Symbol('s')])
    expect(() => traces.save({ id: 't', input: value })).toThrow(StoreConflict);
});

it('two million characters are nothing special', () => {
  const { traces } = scratchStore();
  const long = 'ä'.repeat(2_000_000);
  traces.save({ id: 't', input: long, output: { long } });
  expect(traces.get('t')?.input === long).toBe(true);
});

it('a store that someone else has written to says so instead of answering with nonsense', () => {
  const folder = scratchFolder();
  const store = scratchStore(folder);
  store.traces.save({ id: 't', input: 1, tags: ['x'] });
  store.scores.save({ id: 's', name: 'n', value: 1, traceId: 't' });
  const raw = new DatabaseSync(store.file);
  for (const [change, read] of [
    ["UPDATE traces SET input = '{'", () => store.traces.get('t')],
    ["UPDATE traces SET input = NULL, tags = '[1]'", () => store.traces.get('t')],
    ["UPDATE traces SET tags = '[]', name = x'00', public = 'yes'", () => store.traces.get('t')],
    ["UPDATE scores SET data_type = 'OTHER'", () => store.scores.get('s')],
    ["UPDATE scores SET data_type = 'NUMERIC', value = 'many'", () => store.scores.get('s')],
  ] as const) {
    raw.exec(change);
    expect(read, change).toThrow(UsageError);
    expect(read, change).toThrow('the store is damaged');
  }
  raw.close();
});
