import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { promptTemplate, turnsOf } from '../../../src/experiment/targets/prompt.ts';
import type { PromptBody } from '../../../src/store/records.ts';

const SCOPE = { input: { text: 'I slept.' }, known: {} };

function filled(body: PromptBody, scope: { input: unknown; known: Record<string, unknown> } = SCOPE) {
  return promptTemplate(body, 'prompt').filled(scope, 'the item');
}

describe('a prompt', () => {
  it('of one text is what the user says', () => {
    expect(filled({ type: 'text', prompt: 'Read: {{ text }}' })).toEqual({
      system: '',
      messages: [{ role: 'user', content: 'Read: I slept.' }],
    });
  });

  it('without a variable comes before the item, which the model would not see else', () => {
    expect(filled({ type: 'text', prompt: 'Name the feelings.' })).toEqual({
      system: 'Name the feelings.',
      messages: [{ role: 'user', content: 'the item' }],
    });
    const chat: PromptBody = { type: 'chat', prompt: [{ role: 'system', content: 'Be short.' }] };
    expect(filled(chat)).toEqual({ system: 'Be short.', messages: [{ role: 'user', content: 'the item' }] });
  });

  it('of several messages keeps its turns; what holds throughout goes together', () => {
    const body: PromptBody = {
      type: 'chat',
      prompt: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Example' },
        { role: 'assistant', content: '[]' },
        { role: 'developer', content: 'Use JSON.' },
        { role: 'user', content: '{{ text }}' },
      ],
    };
    const made = filled(body);
    expect(made).toEqual({
      system: 'Be short.\n\nUse JSON.',
      messages: [
        { role: 'user', content: 'Example' },
        { role: 'assistant', content: '[]' },
        { role: 'user', content: 'I slept.' },
      ],
    });
    expect(turnsOf(made).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it('takes messages from the input where it has a placeholder', () => {
    const body: PromptBody = {
      type: 'chat',
      prompt: [
        { role: 'system', content: 'Go on.' },
        { type: 'placeholder', name: 'history' },
      ],
    };
    const history = [
      { role: 'user', content: '{{ not a variable }}' },
      { role: 'assistant', content: 'Hello' },
    ];
    expect(filled(body, { input: { history }, known: {} }).messages).toEqual(history);
    expect(() => filled(body, { input: { history: 'Hello' }, known: {} })).toThrow(
      'the placeholder history needs messages {role, content}, found "Hello"',
    );
  });

  it('has to make sense', () => {
    const open = (body: PromptBody): unknown => promptTemplate(body, 'prompt');
    expect(() => open({ type: 'text', prompt: ' \n' })).toThrow(UsageError);
    expect(() => open({ type: 'chat', prompt: [{ role: 'robot', content: 'x' }] })).toThrow('there is no role "robot"');
    expect(() => open({ type: 'chat', prompt: [{ role: 'system', content: '{{ text }}' }] })).toThrow(
      'it has system messages only',
    );
  });
});
