import { expect, it } from 'vitest';

import { serverUrls } from '../../src/server/server-urls.ts';

const card = (address: string, family: 'IPv4' | 'IPv6', internal = false) => ({
  address,
  family,
  internal,
  netmask: '',
  mac: '',
  cidr: null,
  scopeid: 0,
});

const machine = () => ({
  lo: [card('127.0.0.1', 'IPv4', true), card('::1', 'IPv6', true)],
  eth0: [card('fe80::1', 'IPv6'), card('2001:db8::7', 'IPv6'), card('192.168.1.20', 'IPv4')],
  eth1: [card('169.254.3.4', 'IPv4'), card('10.0.0.3', 'IPv4')],
});

const HERE = 'http://127.0.0.1:4390';

it.each([
  ['every address of the machine that others can type', '0.0.0.0', HERE, ['192.168.1.20', '10.0.0.3']],
  ['IPv6 too, after the others', '::', HERE, ['192.168.1.20', '10.0.0.3', '[2001:db8::7]']],
  ['nothing but this machine', '127.0.0.1', HERE, []],
])('a server that listens is found at %s', (_, host, url, others) => {
  expect(serverUrls(url, host, machine)).toEqual([...others.map((name) => `http://${name}:4390`), url]);
});

it('an address is named once, and one without others is that of this machine', () => {
  expect(serverUrls('http://10.0.0.3:4390', '10.0.0.3', machine)).toEqual(['http://10.0.0.3:4390']);
  expect(serverUrls(HERE, '0.0.0.0', () => ({}))).toEqual([HERE]);
});
