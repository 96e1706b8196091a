import { describe, expect, it } from 'vitest';

import { sdkServing } from './serving.ts';

const FRESH = { cacheTtlSeconds: 0 };

describe('prompts through the official SDK', () => {
  it('of text have versions and labels, and are compiled', async () => {
    const { client } = await sdkServing();
    const name = 'team/extract names';
    const first = await client.prompt.create({
      name,
      prompt: 'Names in {{text}}?',
      labels: ['production'],
      tags: ['graph'],
      config: { temperature: 0 },
      commitMessage: 'begun',
    });
    expect(first).toMatchObject({ version: 1, labels: expect.arrayContaining(['production', 'latest']) });
    await client.prompt.create({ name, prompt: 'All names in {{text}}?', labels: ['staging'] });

    const production = await client.prompt.get(name, FRESH);
    expect(production.version).toBe(1);
    expect(production.compile({ text: 'the letter' })).toBe('Names in the letter?');
    expect(production).toMatchObject({ config: { temperature: 0 }, tags: ['graph'], commitMessage: 'begun' });
    expect((await client.prompt.get(name, { label: 'staging', ...FRESH })).version).toBe(2);
    expect((await client.prompt.get(name, { label: 'latest', ...FRESH })).version).toBe(2);
    expect((await client.prompt.get(name, { version: 1, ...FRESH })).prompt).toBe('Names in {{text}}?');

    await client.prompt.update({ name, version: 2, newLabels: ['production'] });
    expect((await client.prompt.get(name, FRESH)).version).toBe(2);
    expect((await client.prompt.get(name, { version: 1, ...FRESH })).labels).toEqual([]);
    const list = await client.api.prompts.list();
    expect(list.data).toMatchObject([{ name, type: 'text', versions: [1, 2], tags: ['graph'] }]);
  });

  it('of chats keep messages and placeholders, and are compiled', async () => {
    const { client } = await sdkServing();
    await client.prompt.create({
      name: 'talk',
      type: 'chat',
      labels: ['production'],
      prompt: [
        { role: 'system', content: 'You are {{who}}.' },
        { type: 'placeholder', name: 'history' } as never,
        { role: 'user', content: 'Go on.' },
      ],
    });
    const talk = await client.prompt.get('talk', { type: 'chat', ...FRESH });
    expect(talk.compile({ who: 'brief' }, { history: [{ role: 'user', content: 'Hello' }] })).toEqual([
      { role: 'system', content: 'You are brief.' },
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Go on.' },
    ]);
  });

  it('are deleted by version, by label, and as a whole', async () => {
    const { client } = await sdkServing();
    for (const labels of [['production'], ['staging'], []]) {
      await client.prompt.create({ name: 'p', prompt: 'x', labels });
    }
    const versions = async () => (await client.api.prompts.list({ name: 'p' })).data.map((one) => one.versions);
    await client.prompt.delete('p', { version: 3 });
    expect(await versions()).toEqual([[1, 2]]);
    await client.prompt.delete('p', { label: 'staging' });
    expect(await versions()).toEqual([[1]]);
    await client.prompt.delete('p');
    expect(await versions()).toEqual([]);
    await expect(client.prompt.get('p', { ...FRESH, maxRetries: 0 })).rejects.toMatchObject({ statusCode: 404 });
  });

  it('refuse a second kind, a label that is reserved, and what is not there', async () => {
    const { client, ask } = await sdkServing();
    await client.prompt.create({ name: 'p', prompt: 'x' });
    await expect(
      client.prompt.create({ name: 'p', type: 'chat', prompt: [{ role: 'user', content: 'x' }] }),
    ).rejects.toMatchObject({ statusCode: 400 });
    await expect(client.prompt.update({ name: 'p', version: 1, newLabels: ['latest'] })).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(client.prompt.update({ name: 'p', version: 9, newLabels: ['a'] })).rejects.toMatchObject({
      statusCode: 404,
    });
    await expect(client.prompt.get('p', FRESH)).rejects.toMatchObject({
      statusCode: 404,
      body: { message: 'The prompt "p" with the label "production" is not here' },
    });
    expect((await ask('GET', '/api/public/v2/prompts/p?label=a&version=1')).status).toBe(400);
    expect((await ask('PATCH', '/api/public/v2/prompts/p/versions/x', { newLabels: [] })).status).toBe(400);
    expect((await ask('DELETE', '/api/public/v2/prompts/none')).status).toBe(404);
  });

  it('say who they are, and what is within them', async () => {
    const { client, ask } = await sdkServing();
    await client.prompt.create({ name: 'tone', prompt: 'Be brief.', labels: ['production'] });
    await client.prompt.create({
      name: 'ask',
      prompt: '@@@langfusePrompt:name=tone|label=production@@@ Where is {{what}}?',
      labels: ['production'],
    });
    const ask1 = await client.prompt.get('ask', FRESH);
    expect(ask1.compile({ what: 'Lima' })).toBe('Be brief. Where is Lima?');
    const whole = await ask('GET', '/api/public/v2/prompts/ask');
    expect(whole.body).toMatchObject({
      id: expect.any(String),
      projectId: 'assay',
      createdBy: 'API',
      isActive: true,
      resolutionGraph: { root: { name: 'ask', version: 1 } },
    });
    const raw = await ask('GET', '/api/public/v2/prompts/ask?resolve=false');
    expect(raw.body).toMatchObject({ prompt: expect.stringContaining('@@@langfusePrompt'), resolutionGraph: null });

    await expect(client.prompt.delete('tone')).rejects.toMatchObject({ statusCode: 400 });
    await client.prompt.update({ name: 'ask', version: 1, newLabels: ['staging'] });
    await client.prompt.delete('ask');
    await client.prompt.delete('tone');
    for (const prompt of ['@@@langfusePrompt:name=none|label=production@@@', '@@@langfusePrompt:name=p|version=1@@@']) {
      await expect(client.prompt.create({ name: 'p', prompt })).rejects.toMatchObject({ statusCode: 400 });
    }
    expect((await client.api.prompts.list()).data).toEqual([]);
  });

  it.each([
    ['a name with a reference mark', { name: 'a|b' }],
    ['a name with HTML', { name: 'a <b>x</b>' }],
    ['a name that begins with a slash', { name: '/a' }],
    ['a name that ends with a slash', { name: 'a/' }],
    ['a name with an empty folder', { name: 'a//b' }],
    ['a name of blanks', { name: '  ' }],
    ['a name that is a page', { name: 'new' }],
    ['a label in capitals', { labels: ['Production'] }],
    ['a label with a blank', { labels: ['a b'] }],
    ['a label that is too long', { labels: ['a'.repeat(37)] }],
    ['a long commit message', { commitMessage: 'x'.repeat(501) }],
    [
      'a placeholder called like a variable',
      {
        type: 'chat',
        prompt: [
          { role: 'user', content: '{{x}}' },
          { type: 'placeholder', name: 'x' },
        ],
      },
    ],
  ])('refuse %s', async (_, wrong) => {
    const { ask } = await sdkServing();
    const good = { name: 'team/p <3', prompt: 'x', labels: ['v1.0_a-b'], commitMessage: 'x'.repeat(500) };
    expect((await ask('POST', '/api/public/v2/prompts', good)).status).toBe(201);
    expect((await ask('POST', '/api/public/v2/prompts', { ...good, ...wrong })).status).toBe(400);
  });
});
