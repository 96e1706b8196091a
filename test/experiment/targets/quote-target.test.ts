import { describe, expect, it } from 'vitest';

import { completion } from '../models/model-server.ts';
import { ask, failure, item, openWithModel, sentTo } from './open-here.ts';

const ENTRY = { journal_id: 'J1', text: 'Kal raat neend theek nahi thi. Coffee pi.', lang_hint: 'hinglish' };
const SLEEP = {
  domain: 'symptom',
  evidence_span: 'neend theek nahi thi',
  polarity: 'present',
  intensity_bucket: 'unknown',
  time_bucket: 'last_night',
};
const TEA = { ...SLEEP, domain: 'food', evidence_span: 'Tea' };

describe('the journal extractor', () => {
  it('asks for verbatim quotes by schema, and keeps apart what the rules take out', async () => {
    const { target, server } = await openWithModel([completion(JSON.stringify({ items: [SLEEP, TEA] }))], {
      use: 'journal-extractor',
    });
    expect((await ask(target, item(ENTRY))).output).toEqual({
      items: [{ ...SLEEP, start: 9, end: 29 }],
      rejected: [{ item: TEA, because: 'the quote is not in the text' }],
      changed: [],
    });
    const [system, user] = sentTo(server);
    expect(system?.content).toContain('character for character');
    expect(system?.content).toContain('{"items": []}');
    expect(user).toEqual({ role: 'user', content: `Diary entry:\n\n${ENTRY.text}` });
    expect(server.requests[0]!.body).toMatchObject({
      response_format: { json_schema: { strict: true, name: 'journal_items' } },
    });
  });

  it('leaves in what no quote supports where it is asked to, which is part of what it is', async () => {
    const { target } = await openWithModel([completion(JSON.stringify({ items: [TEA] }))], {
      use: 'journal-extractor',
      unsupported: 'uncertain',
    });
    expect((await ask(target, item(ENTRY))).output).toMatchObject({
      items: [{ ...TEA, polarity: 'uncertain', unsupported: 'the quote is not in the text' }],
      rejected: [],
    });
    expect(target.identity['unsupported']).toBe('uncertain');
  });

  it('may find nothing', async () => {
    const { target } = await openWithModel([completion('{"items":[]}')], { use: 'journal-extractor' });
    expect((await ask(target, item('Nothing happened.'))).output).toEqual({ items: [], rejected: [], changed: [] });
  });

  it('holds the model to the bucket of each domain', async () => {
    const { target } = await openWithModel([completion('{}')], { use: 'journal-extractor' });
    const { schema } = target.identity as {
      schema: { properties: { items: { items: { anyOf: { properties: Record<string, { enum?: string[] }> }[] } } } };
    };
    const [others, emotion] = schema.properties.items.items.anyOf;
    expect(others?.properties['domain']?.enum).toEqual(['symptom', 'food', 'mind']);
    expect(Object.keys(others?.properties ?? {})).toContain('intensity_bucket');
    expect(emotion?.properties['domain']?.enum).toEqual(['emotion']);
    expect(Object.keys(emotion?.properties ?? {})).not.toContain('intensity_bucket');
    expect(target.identity['rules']).toBe(1);
  });

  it('lets a prompt of one’s own name fields that an entry may not have', async () => {
    const { target, server } = await openWithModel([completion('{"items":[]}')], {
      use: 'journal-extractor',
      prompt: 'Language: {{ lang_hint }}. {{ text }}',
    });
    await ask(target, item({ text: 'Slept.' }));
    expect(sentTo(server)).toEqual([{ role: 'user', content: 'Language: . Slept.' }]);
  });

  it('fails where the answer has no list of items, or the item no entry', async () => {
    const { target, server } = await openWithModel([completion('[]')], { use: 'journal-extractor' });
    expect(await failure(ask(target, item(ENTRY)))).toMatchObject({ kind: 'schema' });
    expect(await failure(ask(target, item({ body: 'x' })))).toMatchObject({ kind: 'request' });
    expect(server.requests).toHaveLength(1);
  });
});
