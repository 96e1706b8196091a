import { expect, it } from 'vitest';

import { ownAddresses } from '../../../src/server/own-addresses.ts';

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

it('are those of the machine where it listens on every address, and what others can type', () => {
  expect(ownAddresses('0.0.0.0', machine)).toEqual(['192.168.1.20', '10.0.0.3']);
  expect(ownAddresses('::', machine)).toEqual(['192.168.1.20', '10.0.0.3', '2001:db8::7']);
});

it('are the one it listens on, or none where that is this machine alone', () => {
  expect(ownAddresses('192.168.1.20', machine)).toEqual(['192.168.1.20']);
  expect(ownAddresses('127.0.0.1', machine)).toEqual([]);
  expect(ownAddresses('0.0.0.0', () => ({}))).toEqual([]);
});
