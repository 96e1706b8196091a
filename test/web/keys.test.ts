import { expect, test } from 'vitest';

import { Keys, type Press, pressName, type Shortcut } from '../../web/src/keys.ts';

function press(key: string, more: Partial<Press> = {}): Press {
  return { key, code: '', ctrl: false, alt: false, shift: false, typing: false, onControl: false, ...more };
}

/** Shortcuts that write down what ran. */
function noting(...names: readonly string[]): { readonly ran: string[]; readonly list: readonly Shortcut[] } {
  const ran: string[] = [];
  return { ran, list: names.map((name) => ({ keys: [name], does: name, run: () => ran.push(name) })) };
}

test.each([
  ['j', press('j')],
  ['j', press('J')],
  ['Shift+N', press('N', { shift: true })],
  ['?', press('?', { shift: true })],
  ['Ctrl+Enter', press('Enter', { ctrl: true })],
  ['Shift+Enter', press('Enter', { shift: true })],
  ['ArrowDown', press('ArrowDown')],
  ['Space', press(' ')],
  ['Ctrl+n', press('n', { ctrl: true })],
])('a press is called %s', (name, pressed) => {
  expect(pressName(pressed)).toBe(name);
});

test('with a Hindi layout the place of the key counts', () => {
  expect(pressName(press('र', { code: 'KeyJ' }))).toBe('j');
  expect(pressName(press('१', { code: 'Digit1' }))).toBe('1');
});

test('a shortcut runs once and takes the press', () => {
  const keys = new Keys();
  const { ran, list } = noting('j');
  keys.add(0, 0, () => list);
  expect(keys.handle(press('j'))).toBe(true);
  expect(keys.handle(press('q'))).toBe(false);
  expect(ran).toEqual(['j']);
});

test('in a text field keys write, except Escape and those that say so', () => {
  const keys = new Keys();
  const { ran, list } = noting('j', 'Escape', 'Ctrl+Enter');
  keys.add(0, 0, () => list.map((one) => (one.does === 'Ctrl+Enter' ? { ...one, whileTyping: true } : one)));
  expect(keys.handle(press('j', { typing: true }))).toBe(false);
  keys.handle(press('Escape', { typing: true }));
  keys.handle(press('Enter', { ctrl: true, typing: true }));
  expect(ran).toEqual(['Escape', 'Ctrl+Enter']);
});

test('Enter and the space bar belong to the button that has the focus', () => {
  const keys = new Keys();
  const { ran, list } = noting('Enter', 'j');
  keys.add(0, 0, () => list);
  expect(keys.handle(press('Enter', { onControl: true }))).toBe(false);
  expect(keys.handle(press('j', { onControl: true }))).toBe(true);
  expect(ran).toEqual(['j']);
});

test('a row takes a key that the page has too, and gives it back when it is gone', () => {
  const keys = new Keys();
  const page = noting('n');
  const row = noting('n');
  const leave = keys.add(0, 2, () => row.list);
  keys.add(0, 1, () => page.list);
  keys.handle(press('n'));
  leave();
  keys.handle(press('n'));
  expect([row.ran, page.ran]).toEqual([['n'], ['n']]);
});

test('what is listed is what would run: a key that another took is not named twice', () => {
  const keys = new Keys();
  const next = { keys: ['n', 'Shift+N'], does: 'next item', run: () => {} };
  keys.add(0, 1, () => [next, { keys: ['o'], does: 'only at times', run: () => {}, when: () => false }]);
  keys.add(0, 2, () => [{ keys: ['n'], does: 'no', run: () => {} }]);
  expect(keys.active().map(({ keys: names, does }) => `${names.join(' ')}: ${does}`)).toEqual([
    'n: no',
    'Shift+N: next item',
  ]);
});

test('while a dialog is open only its own keys hold', () => {
  const keys = new Keys();
  const below = noting('j');
  const inside = noting('Enter');
  keys.add(0, 1, () => below.list);
  keys.add(1, 1, () => inside.list);
  const close = keys.raise(1);
  expect(keys.handle(press('j'))).toBe(false);
  keys.handle(press('Enter'));
  close();
  keys.handle(press('j'));
  expect([below.ran, inside.ran]).toEqual([['j'], ['Enter']]);
});
