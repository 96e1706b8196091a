import { describe, expect, it } from 'vitest';

import { parseXml } from '../../src/data/xml.ts';

const fault =
  (text: string): (() => unknown) =>
  () =>
    parseXml(text, 'a.xml');

describe('XML', () => {
  it('gives elements, attributes, text and CDATA, with what is escaped', () => {
    const text = `<?xml version="1.0"?><!-- no --><a x="1 &lt; 2" y='&#233;&#x1F600;'>b &amp; c<d/><![CDATA[<&>]]></a>`;
    expect(parseXml(text, 'a.xml')).toMatchObject({
      name: 'a',
      attributes: { x: '1 < 2', y: 'é😀' },
      children: ['b & c', { name: 'd', children: [] }, '<&>'],
    });
  });

  it('never expands or loads anything: a document type is refused', () => {
    const bomb = `<!DOCTYPE a [<!ENTITY x "aaaaaaaaaa"><!ENTITY y "${'&x;'.repeat(10)}">]><a>&y;</a>`;
    const external = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
    for (const text of [bomb, external, '<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a/>'])
      expect(fault(text)).toThrow('a.xml:1: not well-formed XML: a document type is not allowed');
    expect(fault('<a>&passwd;</a>')).toThrow(/not well-formed XML: .*passwd/);
  });

  it('is refused if it is nested too deeply, without running out of stack', () => {
    expect(fault('<a>'.repeat(200_000))).toThrow('nested more than 200 levels deep');
    expect(fault(`${'<a>'.repeat(150)}${'</a>'.repeat(150)}`)).not.toThrow();
  });

  it.each([
    ['<a>', 'a.xml:1: '],
    ['<a></b>', 'a.xml:1: '],
    ['<a/><b/>', 'more than one root element'],
    ['<a/>text', 'text outside the root element'],
    ['<a><!-- ', 'a comment has no end'],
    ['<a x="1', 'a.xml:1: '],
    ['\n\n<a>\n<b></a>', 'a.xml:4: '],
    ['', 'a.xml:1: '],
  ])('%j is refused with its line', (text, message) => {
    expect(fault(text)).toThrow(message);
  });

  it('keeps names that every object answers to as plain attributes', () => {
    const { attributes } = parseXml('<a constructor="x" toString="y"/>', 'a.xml');
    expect(attributes).toMatchObject({ constructor: 'x', toString: 'y' });
    expect(Object.getPrototypeOf(parseXml('<a __proto__="x"/>', 'a.xml').attributes)).toBe(Object.prototype);
  });

  it('takes no longer for a megabyte of unclosed brackets than for the same of text', () => {
    const started = performance.now();
    for (const piece of ['<', '<a ', '<a x="', '&', '<!--', '<![CDATA['])
      expect(fault(`<a>${piece.repeat(1_000_000 / piece.length)}`)).toThrow('not well-formed');
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('a document that would take more memory than there is', () => {
  it.each([
    ['elements', `<a>${'<b/>'.repeat(500_000)}</a>`, /^a\.xml:1: .*more than 900000 elements, attributes and texts/],
    ['texts', `<a>${'x<!---->'.repeat(1_000_000)}</a>`, /more than 900000 elements/],
    [
      'attributes',
      `<a ${Array.from({ length: 1001 }, (_, at) => `b${at}=""`).join(' ')}/>`,
      /more than 1000 attributes/,
    ],
  ])('of %s is refused with the limit', (_, text, message) => {
    expect(() => parseXml(text, 'a.xml')).toThrow(message);
  });
});
