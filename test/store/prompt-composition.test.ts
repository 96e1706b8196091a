import { describe, expect, it } from 'vitest';

import { composePrompt, dependentsOf } from '../../src/store/prompt-composition.ts';
import type { Store } from '../../src/store/store.ts';
import { scratchStore } from './scratch-store.ts';

const tag = (name: string, which: string): string => `@@@langfusePrompt:name=${name}|${which}@@@`;

function text(store: Store, name: string, prompt: string, labels: readonly string[] = ['production']) {
  return store.prompts.create({ name, type: 'text', prompt, labels });
}

const resolved = (store: Store, name: string): unknown =>
  composePrompt(store.prompts, store.prompts.get(name)!).prompt.prompt;

describe('a prompt within a prompt', () => {
  it('is put in by label and by version, wherever it is referred to', () => {
    const store = scratchStore();
    text(store, 'tone', 'Be {{how}}: $& "quoted"\n');
    const tone = text(store, 'tone', 'Be brief.', []);
    const rules = text(store, 'rules', `1. ${tag('tone', 'version=2')} 2. ${tag('tone', 'label=production')}`);
    const chat = store.prompts.create({
      name: 'chat',
      type: 'chat',
      prompt: [
        { role: 'system', content: `${tag('rules', 'label=production')}|${tag('rules', 'label=production')}` },
        { type: 'placeholder', name: 'history' },
      ],
    });
    const { prompt, graph } = composePrompt(store.prompts, chat);
    const rule = '1. Be brief. 2. Be {{how}}: $& "quoted"\n';
    expect(prompt.prompt).toEqual([
      { role: 'system', content: `${rule}|${rule}` },
      { type: 'placeholder', name: 'history' },
    ]);
    expect(graph?.root).toEqual({ id: chat.id, name: 'chat', version: 1 });
    expect(graph?.dependencies[chat.id]).toEqual([{ id: rules.id, name: 'rules', version: 1 }]);
    expect(graph?.dependencies[rules.id]?.[0]).toEqual({ id: tone.id, name: 'tone', version: 2 });
    expect(composePrompt(store.prompts, tone).graph).toBeNull();
  });

  it('stays as it is where it is no reference', () => {
    const store = scratchStore();
    for (const [at, prompt] of [
      '@@@langfusePrompt:name=a@@@ and |label=b@@@',
      '@@@langfusePrompt:label=x|name=a@@@',
      '@@@langfusePrompt:name=a|label=b|version=1@@@',
      '@@@langfusePrompt:name=a|version=x@@@',
      '@@@langfusePrompt:name=|label=b@@@',
    ].entries()) {
      text(store, `p${at}`, prompt);
      expect(resolved(store, `p${at}`)).toBe(prompt);
    }
  });

  it('cannot be missing, a chat, itself, or deeper than five', () => {
    const store = scratchStore();
    text(store, 'a', tag('none', 'label=production'));
    expect(() => resolved(store, 'a')).toThrow('not here: "none", label "production"');
    store.prompts.create({ name: 'talk', type: 'chat', prompt: [], labels: ['production'] });
    text(store, 'b', tag('talk', 'version=1'));
    expect(() => resolved(store, 'b')).toThrow('only a prompt of type text');
    text(store, 'c', 'x');
    text(store, 'd', tag('c', 'label=production'));
    text(store, 'c', tag('d', 'label=production'));
    expect(() => resolved(store, 'c')).toThrow('refers to itself');
    text(store, 'c', tag('c', 'version=1'));
    expect(() => resolved(store, 'c')).toThrow('refers to itself');
    text(store, 'n1', 'end');
    for (const n of [2, 3, 4, 5, 6]) text(store, `n${n}`, tag(`n${n - 1}`, 'label=production'));
    expect(resolved(store, 'n5')).toBe('end');
    expect(() => resolved(store, 'n6')).toThrow('deeper than 5');
  });

  it('cannot make a small prompt into gigabytes', () => {
    const store = scratchStore();
    text(store, 'n1', 'x'.repeat(1000));
    for (const n of [2, 3, 4]) text(store, `n${n}`, tag(`n${n - 1}`, 'label=production').repeat(500));
    expect(() => resolved(store, 'n4')).toThrow('longer than');
  });

  it('is known to be in use', () => {
    const store = scratchStore();
    text(store, 'tone', 'one');
    text(store, 'tone', 'two', []);
    text(store, 'user', tag('tone', 'label=production'));
    const users = (which: object) => dependentsOf(store.prompts, 'tone', which).map(({ name }) => name);
    expect(users({})).toEqual(['user']);
    expect(users({ version: 1 })).toEqual(['user']);
    expect(users({ version: 2 })).toEqual([]);
    expect(dependentsOf(store.prompts, 'user', {})).toEqual([]);
  });
});
