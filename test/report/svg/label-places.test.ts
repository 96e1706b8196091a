import { describe, expect, it } from 'vitest';

import { placeLabels } from '../../../src/report/svg/place-labels.ts';
import { spreadLabels } from '../../../src/report/svg/spread-labels.ts';

describe('spreadLabels', () => {
  it('leaves labels alone that have room', () => {
    expect(spreadLabels([50, 10, 30], 4, 0, 100)).toEqual([50, 10, 30]);
  });

  it('moves neighbours apart around where they wanted to be', () => {
    expect(spreadLabels([10, 11], 4, 0, 100)).toEqual([8.5, 12.5]);
    // Three at one place, the fourth pushed along: their mean is (20 + 20 + 20 + 25) / 4 = 21.25, four steps of 10.
    expect(spreadLabels([20, 20, 20, 25], 10, 0, 100)).toEqual([6.25, 16.25, 26.25, 36.25]);
  });

  it('stays between the ends', () => {
    expect(spreadLabels([1, 2], 10, 0, 100)).toEqual([0, 10]);
    expect(spreadLabels([99, 99], 10, 0, 100)).toEqual([90, 100]);
  });

  it('gives up where the room does not suffice', () => {
    expect(spreadLabels([1, 2, 3], 60, 0, 100)).toBeNull();
    expect(spreadLabels([], 60, 0, 100)).toEqual([]);
  });
});

describe('placeLabels', () => {
  const area = { left: 0, right: 100, top: 0, bottom: 100 };

  it('takes the upper right where nothing is in the way', () => {
    expect(placeLabels([{ x: 50, y: 50, width: 20 }], [], area)).toEqual([{ x: 54, y: 45, anchor: 'start' }]);
  });

  it('keeps off the edge, off what is drawn and off other names', () => {
    const [edge] = placeLabels([{ x: 95, y: 50, width: 20 }], [], area);
    expect(edge).toEqual({ x: 91, y: 45, anchor: 'end' });
    const above = { left: 0, right: 100, top: 0, bottom: 50 };
    expect(placeLabels([{ x: 50, y: 50, width: 20 }], [above], area)[0]).toEqual({ x: 54, y: 62, anchor: 'start' });
    const twice = placeLabels(
      Array.from({ length: 2 }, () => ({ x: 50, y: 50, width: 20 })),
      [],
      area,
    );
    expect(twice[1]).not.toEqual(twice[0]);
  });
});
