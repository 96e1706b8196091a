import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { reviewSecret } from '../../src/review/review-access.ts';
import { openStore } from '../../src/store/store.ts';
import { gardenReview } from './garden-review.ts';
import { ok, refused } from './review-files.ts';

const PEOPLE = [{ name: 'Anna' }, { name: 'Olga', role: 'owner' }] as const;
const SAID = [{ person: 'Anna', item: 'case-1', cells: { plant: 'rose' } }];

describe('assay review backup', () => {
  it('copies everything while the store is open, says what is in the copy, and the copy is a store', async () => {
    const { folder, data, run } = gardenReview(PEOPLE, SAID);
    const serving = openStore(data);
    onTestFinished(() => serving.close());
    // Acknowledged, and so far only in the log.
    serving.datasets.save({ name: 'late' });
    const told = ok(await run('backup', '--out', 'copy/store.db'));
    expect(told).toMatch(
      /^copy\/store\.db: \d+ rows, [\d,]+ bytes\n1 review, 4 items, 2 people, 2 events, 0 decisions\n/,
    );
    expect(told).toContain('Open it with: assay review list --data copy');
    expect(statSync(join(folder, 'copy/store.db')).mode & 0o777).toBe(0o600);
    expect(ok(await run('status', 'pilot', '--data', 'copy', '--json'))).toContain('"review": "pilot"');
    const copy = openStore(join(folder, 'copy'));
    expect(copy.datasets.get('late')).not.toBeNull();
    copy.close();
  });

  it('says that links need the secret beside it, and copies it where that is asked for', async () => {
    const { folder, data, run } = gardenReview(PEOPLE);
    expect(ok(await run('backup', '--out', 'a.db'))).not.toContain('review-secret');
    expect(refused(await run('backup', '--out', 'b.db', '--with-links'))).toContain('there are no links');
    reviewSecret(data);
    const told = ok(await run('backup', '--out', 'b.db'));
    expect(told).toContain('Links need review-secret of the data folder next to it (--with-links copies it)');
    expect(existsSync(join(folder, 'review-secret'))).toBe(false);

    const both = ok(await run('backup', '--out', 'copy/store.db', '--with-links'));
    expect(both).toContain('copy/review-secret: with both files anybody can answer as anyone');
    const secret = join(folder, 'copy/review-secret');
    expect(statSync(secret).mode & 0o777).toBe(0o600);
    expect(readFileSync(secret, 'utf8')).toBe(readFileSync(join(data, 'review-secret'), 'utf8'));
    expect(both).not.toContain(readFileSync(secret, 'utf8').trim());
    expect(readdirSync(join(folder, 'copy')).toSorted()).toEqual(['review-secret', 'store.db']);
  });

  it('overwrites neither a file nor another store’s secret without --force', async () => {
    const { folder, data, run } = gardenReview(PEOPLE);
    reviewSecret(data);
    writeFileSync(join(folder, 'a.db'), 'mine');
    expect(refused(await run('backup', '--out', 'a.db'))).toMatch(/a\.db is there already[^]*--force/);
    expect(readFileSync(join(folder, 'a.db'), 'utf8')).toBe('mine');
    writeFileSync(join(folder, 'review-secret'), 'of another');
    const other = await run('backup', '--out', 'b.db', '--with-links');
    expect(refused(other)).toMatch(/review-secret exists already, and belongs to another store/);
    expect(existsSync(join(folder, 'b.db'))).toBe(false);
    const made = JSON.parse(ok(await run('backup', '--out', 'a.db', '--with-links', '--force', '--json'))) as object;
    expect(made).toMatchObject({ file: 'a.db', secret: 'review-secret', rows: { reviews: 1, review_items: 4 } });
    expect(refused(await run('backup', '--out', '.assay/store.db', '--force'))).toContain('is the store itself');
    expect(refused(await run('backup', '--out', '.'))).toContain('this is a folder');
    expect(refused(await run('backup', '--out', 'c.db', '--data', 'nowhere'))).toContain('nothing has been kept there');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  it('is named where somebody looks for how to keep a review', async () => {
    const { run } = gardenReview(PEOPLE);
    expect(ok(await run('--help'))).toMatch(/backup use assay review backup at any time/);
    expect(ok(await run('serve', '--help'))).toMatch(/stop this first, or use assay review backup/);
  });
});
