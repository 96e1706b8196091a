import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { parseTemplate, render, renderValue, variablesIn } from '../../../src/experiment/targets/template.ts';

function filled(text: string, input: unknown, known: Record<string, unknown> = {}): string {
  return render(parseTemplate(text, 'prompt'), { input, known: { ...known, input } }, 'prompt');
}

function fault(make: () => unknown): UsageError {
  try {
    make();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

describe('a template', () => {
  it('takes fields of the input, by name and by path', () => {
    const input = { name: 'Ann', pets: [{ kind: 'cat' }, { kind: 'dog' }] };
    expect(filled('{{name}} has a {{ pets.1.kind }}.', input)).toBe('Ann has a dog.');
  });

  it('takes the whole input: a text as it is, anything else as JSON, null as nothing', () => {
    expect(filled('<{{ input }}>', 'a "b"\n<c>')).toBe('<a "b"\n<c>>');
    expect(filled('{{ input }}', { a: [1, null] })).toBe('{"a":[1,null]}');
    expect(filled('[{{ lang }}]', { lang: null })).toBe('[]');
    expect(filled('{{ n }} {{ yes }}', { n: 0, yes: false })).toBe('0 false');
  });

  it('does not fill what stands in a value', () => {
    expect(filled('{{ a }}{{ b }}', { a: '{{ b }}', b: '$& {{ a }}' })).toBe('{{ b }}$& {{ a }}');
  });

  it('prefers what is known beside the input', () => {
    expect(filled('{{ passages }}', { passages: 'mine' }, { passages: 'found' })).toBe('found');
    expect(filled('{{ input.passages }}', { passages: 'mine' }, { passages: 'found' })).toBe('mine');
  });

  it('takes names with spaces, accents and other scripts', () => {
    expect(filled('{{ ground truth }} {{ naïveté }} {{ नाम }}', { 'ground truth': 1, naïveté: 2, नाम: 3 })).toBe(
      '1 2 3',
    );
  });

  it('leaves braces alone that are no variable', () => {
    expect(filled('{"a": {"b": 1}} } {x}', null)).toBe('{"a": {"b": 1}} } {x}');
    expect(filled('write \\{{ name }} here: {{ name }}', { name: 'n' })).toBe('write {{ name }} here: n');
  });

  it('says what there is where a name is unknown', () => {
    const error = fault(() => filled('{{ txt }}', { text: 'x', lang: 'en' }));
    expect(error.message).toBe('prompt: there is no {{ txt }} for this item; there is input, text, lang');
    expect(error.next).toBe('did you mean {{ text }}?');
    expect(fault(() => filled('{{ text.title }}', { text: 'x' })).message).toContain('no {{ text.title }}');
  });

  it('does not reach into what objects inherit', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'list.length'])
      expect(fault(() => filled(`{{ ${name} }}`, { list: [] })).message).toContain(name);
  });

  it.each(['{{ }}', '{{ a', '{{ a {{ b }}', '{{{ a }}}', '{{ a. }}', '{{ a\nb }}'])('cannot be %j', (text) => {
    expect(fault(() => parseTemplate(text, 'prompt')).message).toMatch(/^prompt: .* is no variable$/);
  });

  it('knows its variables', () => {
    expect(variablesIn(parseTemplate('{{ a.b }} and {{ c }}', 'prompt'))).toEqual(['a', 'c']);
  });

  it('gives a value as it is where it is one variable and nothing more', () => {
    const scope = { input: { n: 3, list: [1] }, known: {} };
    expect(renderValue(parseTemplate('{{ list }}', 'body'), scope, 'body')).toEqual([1]);
    expect(renderValue(parseTemplate('n={{ n }}', 'body'), scope, 'body')).toBe('n=3');
  });
});
