import { expect, test } from 'vitest';

import { formatAddress, parseAddress } from '../../web/src/address.ts';

const TOKEN = 'XmZuZT5uQucn4OThGdpY3JBGgzjeHh5_cDnbEF7ZtXk';

test('a link carries the token after #', () => {
  expect(parseAddress(`#${TOKEN}`)).toEqual({ token: TOKEN, item: null });
});

test('an item that was opened follows the token, and comes back as it was', () => {
  const address = { token: TOKEN, item: 'i/7 ä%' };
  expect(parseAddress(formatAddress(address))).toEqual(address);
});

test.each(['', '#', '#short', '#has spaces in it', '#<script>alert(1)</script>'])(
  '%j is no link of a review',
  (hash) => {
    expect(parseAddress(hash)).toBeNull();
  },
);

test('an item that cannot be read is as if there were none', () => {
  expect(parseAddress(`#${TOKEN}/%E0%A4%A`)).toEqual({ token: TOKEN, item: null });
});

test('a token that the tab has kept is not in the address', () => {
  const address = { token: TOKEN, item: 'i/7' };
  expect(formatAddress(address, TOKEN)).toBe('#/i%2F7');
  expect(parseAddress('#/i%2F7', TOKEN)).toEqual(address);
  expect(formatAddress({ token: TOKEN, item: null }, TOKEN)).toBe('#');
  expect(parseAddress('', TOKEN)).toEqual({ token: TOKEN, item: null });
});

test('a new link in the tab goes before the token that it has kept', () => {
  const other = TOKEN.toLowerCase();
  expect(parseAddress(`#${other}`, TOKEN)).toEqual({ token: other, item: null });
  expect(formatAddress({ token: other, item: null }, TOKEN)).toBe(`#${other}`);
});
