import { describe, expect, it } from 'vitest';

import { linksTo } from '../../src/server/links.ts';

describe('the links that assay serve prints', () => {
  it('are for this machine alone where only it can reach the server', () => {
    expect(linksTo('http://127.0.0.1:4390', '127.0.0.1', null)).toEqual(['http://127.0.0.1:4390']);
  });

  it('have the addresses that others use first, and the token after the #', () => {
    expect(linksTo('http://127.0.0.1:4390', '0.0.0.0', 'TOKEN', ['10.0.0.7', '2001:db8::7'])).toEqual([
      'http://10.0.0.7:4390/#TOKEN',
      'http://[2001:db8::7]:4390/#TOKEN',
      'http://127.0.0.1:4390/#TOKEN',
    ]);
  });

  it('name an address once', () => {
    expect(linksTo('http://10.0.0.7:4390', '10.0.0.7', 'TOKEN')).toEqual(['http://10.0.0.7:4390/#TOKEN']);
  });
});
