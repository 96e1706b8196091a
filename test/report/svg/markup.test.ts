import { describe, expect, it } from 'vitest';

import { coordinate } from '../../../src/report/svg/coordinate.ts';
import { element, group, xmlText } from '../../../src/report/svg/markup.ts';

describe('element', () => {
  it('writes attributes in their order, numbers in hundredths', () => {
    expect(element('circle', { cx: 1.239, cy: -0.001, r: 2, fill: 'none' }).markup).toBe(
      '<circle cx="1.24" cy="0" r="2" fill="none"/>',
    );
  });

  it('escapes text and attributes, and leaves markup as it is', () => {
    const inner = element('title', {}, ['a < b & "c"']);
    expect(element('text', { id: `<'&">` }, [inner, '</text>']).markup).toBe(
      '<text id="&lt;&#39;&amp;&quot;&gt;"><title>a &lt; b &amp; &quot;c&quot;</title>&lt;/text&gt;</text>',
    );
  });

  it('moves a group only where it has to go', () => {
    const inner = [element('g', {})];
    expect(group(inner).markup).toBe('<g>\n<g/>\n</g>');
    expect(group(inner, 2, 1.5).markup).toBe('<g transform="translate(2 1.5)">\n<g/>\n</g>');
  });
});

describe('xmlText', () => {
  it('shows what XML forbids, what hides and what turns a line round', () => {
    expect(xmlText('a\u0000b\u001b[2J')).toBe('a␀b␛[2J');
    expect(xmlText('x\u202Ey\u200Bz')).toBe('x‹U+202E›y‹U+200B›z');
    expect(xmlText('\ufffe\uffff\ud800')).toBe('‹U+FFFE›‹U+FFFF›‹U+D800›');
  });
});

describe('coordinate', () => {
  it('never writes what is no number', () => {
    expect(() => coordinate(Number.NaN)).toThrow('no place for NaN');
    expect(() => coordinate(Infinity)).toThrow(RangeError);
    expect(() => coordinate(1e21)).toThrow(RangeError);
  });

  it('drops zeros that say nothing', () => {
    expect([100, 0.5, 12.3456, -0.004].map(coordinate)).toEqual(['100', '0.5', '12.35', '0']);
  });
});
