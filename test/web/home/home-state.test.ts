import { describe, expect, it } from 'vitest';

import { formatHome, type HomeState, parseHome, START, targetOf, tokenOf } from '../../../web/src/home/home-state.ts';

describe('the address of the home screen', () => {
  it('is empty at the start', () => {
    expect(formatHome(START)).toBe('#');
    expect(parseHome('')).toEqual(START);
    expect(parseHome('#')).toEqual(START);
  });

  it('carries everything that was chosen, also names that look like markup', () => {
    const state: HomeState = {
      part: 'experiments',
      search: 'a & b = <c>',
      task: 'journal',
      sort: { by: 'figure', figure: 'macro_f1', reverse: true },
      selected: ['deep/er/b', 'a b', '__proto__'],
      review: 'pilot #2',
      series: 'deep/er/b',
      measure: 'f1 <b>',
    };
    expect(parseHome(formatHome(state))).toEqual(state);
  });

  it('takes what cannot be meant as not said', () => {
    expect(parseHome('#part=secrets&sort=figure.&select=&select=a&select=a&task=')).toEqual({
      ...START,
      selected: ['a'],
    });
    expect(parseHome(`#search=${'x'.repeat(5000)}`).search).toBe('');
    expect(
      parseHome(`#${'select=a&'.repeat(10)}${Array.from({ length: 99 }, (_, n) => `select=${n}`).join('&')}`).selected,
    ).toHaveLength(50);
  });
});

describe('entry', () => {
  it('takes for a token what is nothing else', () => {
    const token = 'aB3_-'.repeat(9).slice(0, 43);
    expect(tokenOf(`#${token}`)).toBe(token);
    for (const hash of ['', '#', '#part=runs', '#view=cases&case=J001', '#short', `#${token}/more`])
      expect(tokenOf(hash), hash).toBeNull();
  });

  it('goes on to screens of this server and nowhere else', () => {
    const origin = 'http://10.0.0.7:4390';
    const to = (place: string): string | null => targetOf(`?to=${encodeURIComponent(place)}`, origin);
    expect(to('/run/a/b/')).toBe('/run/a/b/');
    expect(to('/compare/?run=a&run=b')).toBe('/compare/?run=a&run=b');
    expect(targetOf('', origin)).toBeNull();
    for (const place of [
      '//evil.example/run/',
      '/\\evil.example/run/',
      'http://evil.example/run/',
      'javascript:alert(1)//run/',
      '/live',
      '/run/../live',
      '',
    ])
      expect(to(place), place).toBeNull();
  });
});
