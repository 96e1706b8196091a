import { describe, expect, it } from 'vitest';

import { InputError, Problems, problemText, UsageError } from '../../src/data/problems.ts';

describe('problemText', () => {
  it('says file, line, field, what is wrong and what to do', () => {
    expect(
      problemText({
        file: 'gold.jsonl',
        line: 3,
        field: 'spans[0].start',
        message: 'expected a whole number, found "x"',
        next: 'write a number',
      }),
    ).toBe('gold.jsonl:3: spans[0].start: expected a whole number, found "x" (write a number)');
    expect(problemText({ file: 'gold.jsonl', line: null, message: 'no such file' })).toBe('gold.jsonl: no such file');
  });
});

describe('Problems', () => {
  const many = (count: number): Problems => {
    const gathered = new Problems();
    for (let line = 1; line <= count; line += 1) gathered.add({ file: 'a', line, message: 'wrong' });
    return gathered;
  };

  it('folds those that are alike, shows the first 20 others and counts the rest', () => {
    const gathered = many(57);
    for (let at = 0; at < 30; at += 1)
      gathered.add({ file: 'a', line: 60 + at, message: `wrong in the way ${'x'.repeat(at)}` });
    expect(gathered.count).toBe(87);
    expect(() => {
      gathered.throwIfAny();
    }).toThrow(/^a:1: wrong\na:2: wrong\na:3: wrong\na: … and 54 more like this\na:60: [^]*a:76: [^]*\n… and 13 more$/);
  });

  it('takes those for alike that differ in numbers and quoted words, whoever gathered them', () => {
    const all = new Problems();
    const one = new Problems(all);
    for (let at = 0; at < 5; at += 1)
      one.add({ file: 'a', line: at, field: `spans[${at}]`, message: `expected a label, found "l${at}"` });
    const [, , third] = all.entries();
    expect([all.entries().length, third?.more]).toEqual([3, 2]);
  });

  it('does not throw when nothing is wrong', () => {
    expect(() => {
      new Problems().throwIfAny();
    }).not.toThrow();
  });

  it('lists file by file in the order they came up, and line by line', () => {
    const gathered = new Problems();
    for (const [file, line] of [
      ['b', 9],
      ['a', 2],
      ['b', null],
      ['a', 1],
      ['b', 3],
    ] as const)
      gathered.add({ file, line, message: 'wrong' });
    expect(() => {
      gathered.throwIfAny();
    }).toThrow(/^b:3: wrong\nb:9: wrong\nb: wrong\na:1: wrong\na:2: wrong$/);
  });

  it('counts those of one file apart while its parent counts all', () => {
    const all = new Problems();
    const one = new Problems(all);
    one.add({ file: 'a', line: 1, message: 'wrong' });
    all.add({ file: 'b', line: 1, message: 'wrong' });
    expect([one.count, all.count]).toEqual([1, 2]);
  });

  it('takes over what others gathered, shown or not', () => {
    const all = new Problems();
    const one = new Problems(all);
    one.addAll(many(57));
    expect([one.count, all.count]).toEqual([57, 57]);
  });
});

describe('errors', () => {
  it('escape what a terminal would act on, in every part', () => {
    const hostile = '\u001b[2J';
    const error = new InputError([{ file: hostile, line: 1, field: hostile, message: hostile, next: hostile }]);
    expect(error.message).toBe('\\u001b[2J:1: \\u001b[2J: \\u001b[2J (\\u001b[2J)');
    expect(JSON.stringify(error.problems)).not.toContain('\\u001b[2J:');
    expect(Object.values(error.problems[0]!).join('')).not.toContain('\u001b');
    const usage = new UsageError([`case ${hostile}`, 'has\nno text'], hostile);
    expect(usage.message).toBe('case \\u001b[2J\nhas\\u000ano text');
    expect(usage.next).toBe('\\u001b[2J');
  });
});
