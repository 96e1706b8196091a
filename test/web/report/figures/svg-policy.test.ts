import { describe, expect, it } from 'vitest';

import { refusalOf } from '../../../../web/src/report/figures/svg-policy.ts';

const SVG = 'http://www.w3.org/2000/svg';

function refused(name: string, attributes: Readonly<Record<string, string>> = {}, namespace: string | null = SVG) {
  return refusalOf({
    namespace,
    name,
    attributes: Object.entries(attributes).map(([key, value]) => ({ name: key, value })),
  });
}

describe('what a figure may be made of', () => {
  it('lets shapes and texts through, with classes, data and names for screen readers', () => {
    expect(
      refused('svg', { xmlns: SVG, viewBox: '0 0 320 100', role: 'img', 'aria-labelledby': 'a-title' }),
    ).toBeNull();
    expect(refused('rect', { x: '1', fill: '#ffffff', class: 'bar-bad', 'data-error': 'type' })).toBeNull();
    expect(refused('text', { 'font-size': '11.5', 'text-anchor': 'end' })).toBeNull();
  });

  it.each(['script', 'foreignObject', 'a', 'use', 'image', 'style', 'animate', 'set', 'iframe', 'constructor'])(
    'refuses an element %s',
    (name) => {
      expect(refused(name)).toBe(`an element ${name}`);
    },
  );

  it('refuses an element of another language, whatever its name', () => {
    expect(refused('title', {}, 'http://www.w3.org/1999/xhtml')).toBe('an element title');
    expect(refused('g', {}, null)).toBe('an element g');
  });

  it.each([
    'onclick',
    'onload',
    'href',
    'xlink:href',
    'style',
    'filter',
    'mask',
    'clip-path',
    'begin',
    'data-',
    '__proto__',
  ])('refuses an attribute %s', (name) => {
    expect(refused('rect', Object.fromEntries([[name, 'x']]))).toBe(`an attribute ${name}`);
  });

  it('refuses what would be followed to another place', () => {
    expect(refused('rect', { fill: 'url(https://example.org/a.svg#b)' })).toBe('an attribute fill');
    expect(refused('rect', { fill: 'URL (#b)' })).toBe('an attribute fill');
    expect(refused('svg', { xmlns: 'http://www.w3.org/1999/xhtml' })).toBe('an attribute xmlns');
  });
});
