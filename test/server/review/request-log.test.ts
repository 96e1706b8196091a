import { describe, expect, it } from 'vitest';

import { refusalLine } from '../../../src/server/review/request-log.ts';

describe('the line of a refusal', () => {
  it('has method, path with ids cut short, status and reason', () => {
    expect(refusalLine('GET', '/api/review/items/iAbCdEfGhIjK', 404, 'no such item')).toBe(
      'GET /api/review/items/iAbCdE… 404 no such item',
    );
    expect(refusalLine('POST', '/api/review/items/i1/events', 413, 'too large')).toBe(
      'POST /api/review/items/i1/events 413 too large',
    );
    expect(refusalLine('GET', '/api/review/export.csv', 403, 'x')).toBe('GET /api/review/export.csv 403 x');
    expect(refusalLine('GET', '/', 403, 'x')).toBe('GET / 403 x');
  });

  it('does not repeat a path that is none of ours, since it may be a token', () => {
    const token = 'Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9';
    for (const path of [`/${token}`, `/%23${token}`, `/api/${token}`, `/api/other/${token}`])
      expect(refusalLine('GET', path, 404, 'x')).toBe('GET a path that is not here 404 x');
    expect(refusalLine('GET', `/api/review/${token}`, 404, 'x')).toBe('GET /api/review/Zm9vYm… 404 x');
  });

  it('has nothing that a terminal would act on', () => {
    expect(refusalLine('GET\u001b', '/api/review/items/\u001b[2J', 404, 'a\nb')).toBe(
      'GET\\u001b /api/review/items/\\u001b[2J 404 a\\u000ab',
    );
  });
});
