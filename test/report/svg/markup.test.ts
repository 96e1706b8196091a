import { describe, expect, it } from 'vitest';

import { coordinate, element, xmlText } from '../../../src/report/svg/markup.ts';

describe('element', () => {
  it('writes attributes in their order, numbers in hundredths, and leaves out what is undefined', () => {
    expect(element('circle', { cx: 1.239, cy: -0.001, r: 2, class: undefined, fill: 'none' }).markup).toBe(
      '<circle cx="1.24" cy="0" r="2" fill="none"/>',
    );
    expect([100, 0.5, 12.3456, -0.004].map(coordinate)).toEqual(['100', '0.5', '12.35', '0']);
  });

  it('escapes text and attributes, and leaves markup as it is', () => {
    const inner = element('title', {}, ['a < b & "c"']);
    expect(element('text', { id: `<'&">` }, [inner, '</text>']).markup).toBe(
      '<text id="&lt;&#39;&amp;&quot;&gt;"><title>a &lt; b &amp; &quot;c&quot;</title>&lt;/text&gt;</text>',
    );
  });

  it('shows what XML forbids, what hides and what turns a line round', () => {
    expect(xmlText('a\u0000b\u001b[2J')).toBe('a␀b␛[2J');
    expect(xmlText('x\u202Ey\u200Bz')).toBe('x‹U+202E›y‹U+200B›z');
    expect(xmlText('\ufffe\uffff\ud800')).toBe('‹U+FFFE›‹U+FFFF›‹U+D800›');
  });

  it('never writes what is not a number', () => {
    expect(() => coordinate(Number.NaN)).toThrow('no place for NaN');
    for (const value of [Infinity, 1e21]) expect(() => coordinate(value)).toThrow(RangeError);
  });
});
