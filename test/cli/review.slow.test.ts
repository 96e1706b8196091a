import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { traceIdsOf } from '../../src/experiment/run/item-trace.ts';
import type { Overview } from '../../src/review/api.ts';
import type { ReviewLine } from '../../src/review/review-lines.ts';
import { openStore } from '../../src/store/store.ts';
import { CLAIMS, consultations, CREATE, exported, fill, ok, RATINGS, refused } from './review-files.ts';
import { example } from './run-assay.ts';

const SCALE = ['safety', 'efficacy', 'completeness', 'personalization'];
const rated = (points: string) =>
  Object.fromEntries(SCALE.map((dimension) => [`treatment_relevance.${dimension}`, points]));

const words = (line: string): string[] => line.split(' ');

/** The row of a sheet in the table of an import. */
const imported = (kind: string, rows: number, changed: number, unchanged: number, done: number): RegExp =>
  new RegExp(` ${kind} +${rows} +${changed} +${unchanged} +${done}\\n`);

describe('assay review', () => {
  it('goes from files over sheets to decisions and lines', async () => {
    const { folder, run } = consultations();
    const made = await run(CREATE);
    expect(ok(made)).toContain('Created the review pilot\n2 cases and 4 answers, 7 people, seed 7\n');
    expect(made.stdout).toMatch(/Asha +reviewer +expert +6\n/);
    expect(made.stdout).toMatch(/Dev +reviewer +annotator +4\n/);
    expect(made.stderr).toMatch(/^Note: nobody is in the group practitioner .*without an answer\.\n$/);

    expect(ok(await run('export pilot --out sheets'))).toMatch(/sheets\/Asha +outputs_for_human_review\.csv/);
    expect(readdirSync(join(folder, 'sheets')).sort()).toEqual(['Asha', 'Dev', 'Lata', 'Meera', 'Ravi']);
    const blind = readFileSync(join(folder, 'sheets/Asha', RATINGS), 'utf8');
    expect(blind).not.toMatch(/rag|plain|vanilla|Vata/);

    const expert = (name: string, classes: Record<string, string>, points: string): string => {
      const path = join(folder, 'sheets', name, RATINGS);
      fill(path, ({ text = '', response }) =>
        response === '' ? { prakriti: text.includes('cold') ? classes['cold']! : classes['hot']! } : rated(points),
      );
      return path;
    };
    const annotator = (name: string, label: (claim: string) => string): string => {
      const path = join(folder, 'sheets', name, CLAIMS);
      fill(path, ({ claim_text = '' }) => ({ label: label(claim_text) }));
      return path;
    };
    const asha = ok(await run('import pilot', expert('Asha', { cold: 'vata', hot: 'pitta' }, '4')));
    // 2 classes and 4 answers of 4 dimensions.
    expect(asha).toMatch(imported('ratings', 6, 18, 0, 6));
    ok(await run('import pilot', expert('Ravi', { cold: 'vata', hot: 'kapha' }, '5')));
    ok(await run('import pilot', expert('Meera', { cold: 'kapha', hot: 'tridosha' }, '3')));
    const two = await run(
      'import',
      'pilot',
      annotator('Lata', (claim) => (claim.includes('oil') ? 'grounded' : 'none')),
      annotator('Dev', (claim) => (claim.includes('oil') ? 'paraphrased' : 'none')),
    );
    expect(ok(two)).toMatch(imported('claims', 6, 6, 0, 4));

    const status = ok(await run('status pilot'));
    expect(status).toContain('6 items of 6 done by everybody; 2 conflicts open, 0 decided');
    // The class of case 2 and one claim; of case 1 two of three say the same.
    const overview = JSON.parse(ok(await run('status pilot --json'))) as Overview & { missing: unknown[] };
    expect(overview.conflicts).toEqual({ open: 2, decided: 0 });
    expect(overview.missing).toEqual([]);
    // Six claims, five times the same, with 5/6 of one label and 1/6 of others each: (5/6 − 25/36) / (1 − 25/36).
    expect(overview.agreement.find(({ field }) => field === 'claims')).toMatchObject({
      n: 6,
      value: expect.closeTo(5 / 11, 9),
      target: 0.75,
    });
    expect(overview.people.find(({ name }) => name === 'Asha')).toMatchObject({ done: 6, total: 6 });

    const listed = ok(await run('adjudicate pilot'));
    expect(listed).toContain('2 conflicts open.');
    expect(listed).not.toMatch(/Asha|Ravi|Lata|rag|plain/);
    type Listed = { item: string; field: string; part: string | null; answers: { value: string }[] };
    const conflicts = JSON.parse(ok(await run('adjudicate pilot --json'))) as Listed[];
    const prakriti = conflicts.find(({ field }) => field === 'prakriti')!;
    const claims = conflicts.find(({ field }) => field === 'claims')!;
    expect(prakriti.answers.map(({ value }) => value).sort()).toEqual(['kapha', 'pitta', 'tridosha']);
    expect(claims).toMatchObject({ part: '0-13', answers: [{ value: 'grounded' }, { value: 'paraphrased' }] });

    const decided = await run(
      `adjudicate pilot --item ${prakriti.item} --field prakriti --value pitta --by Jo --because heat`,
    );
    expect(ok(decided)).toBe(`Decided pitta: prakriti of ${prakriti.item}.\n1 conflict open.\n`);
    const last = await run(`adjudicate pilot --item ${claims.item} --field claims --answer 1`);
    expect(ok(last)).toContain('No conflict is open.');
    expect(ok(await run('adjudicate pilot'))).toContain('No conflict is open.\n');

    ok(await run('export pilot --format jsonl --out pilot.jsonl'));
    const lines = readFileSync(join(folder, 'pilot.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ReviewLine);
    // 3 × 2 classes, 3 × 4 × 4 ratings, 2 × 6 claims, 2 decisions.
    expect(lines).toHaveLength(6 + 48 + 12 + 2);
    const jo = { reviewer: 'Jo', role: 'adjudicator', field: 'prakriti', value: 'pitta', because: 'heat' };
    const lata = { reviewer: 'Lata', field: 'claims', part: '0-13', value: 'grounded', text: 'Use warm oil.' };
    expect(lines).toContainEqual(expect.objectContaining({ case_id: '2', system: null, ...jo }));
    expect(lines).toContainEqual(expect.objectContaining({ case_id: '1', system: 'rag', ...lata }));
    expect(new Set(lines.map(({ system }) => system))).toEqual(new Set([null, 'rag', 'plain']));
    const csv = ok(await run('export pilot --format csv'));
    expect(csv.trim().split(/\r?\n/)).toHaveLength(lines.length + 1);
  });

  it('keeps what was changed in the app since a sheet was imported, and says so', async () => {
    const { folder, run, sheet } = await exported();
    const path = sheet('Asha', RATINGS);
    fill(path, ({ response }) => (response === '' ? { prakriti: 'vata' } : rated('3')));
    ok(await run('import pilot', path));

    const store = openStore(join(folder, '.assay'));
    const { id } = store.reviews.find('pilot')!;
    const asha = store.reviews.people(id)[0]!.id;
    const item = store.reviews.items(id).find(({ kind }) => kind === 'answer')!.id;
    const app = { itemId: item, personId: asha, origin: 'app' } as const;
    const safety = { field: 'treatment_relevance', part: 'safety' };
    store.reviews.append([
      { ...app, id: 'a1', field: '#commit', part: null, value: false },
      { ...app, id: 'a2', ...safety, value: 5 },
    ]);
    const again = await run('import pilot', path);
    expect(ok(again)).toMatch(imported('ratings', 6, 0, 17, 0));
    expect(again.stdout).toContain('1 cell kept as changed since; 1 item opened again stays open\n');
    expect(again.stderr).toMatch(
      /kept what was changed since: row \d, treatment_relevance\.safety \(to change it again/,
    );
    const state = store.reviews.state(item, asha)!;
    expect(state.committed).toBe(false);
    expect(state.cells).toContainEqual({ ...safety, value: 5 });
    store.reviews.append([{ ...app, id: 'a3', field: '#commit', part: null, value: true }]);
    store.close();

    // A sheet that is exported again counts, and items that were done stay done.
    ok(await run('export pilot --out again --reviewer Asha'));
    fill(join(folder, 'again/Asha', RATINGS), ({ response }) => (response === '' ? {} : rated('3')));
    const last = ok(await run('import pilot', join(folder, 'again/Asha', RATINGS)));
    expect(last).toMatch(imported('ratings', 6, 1, 17, 0));
    expect(last).toContain('1 answer changed in items that were done\n');
  });

  it('says what is missing of items that were begun, after all files', async () => {
    const { run, sheet } = await exported('--reviewer', 'Uma:expert,annotator');
    const [ratings, claims] = [sheet('Uma', RATINGS), sheet('Uma', CLAIMS)];
    fill(ratings, ({ response = '' }) =>
      response === '' ? {} : response.includes('oil') ? { ...rated('4'), 'components.diet': 'yes' } : { comment: 'hm' },
    );
    fill(claims, ({ claim_text: said = '' }) =>
      said === 'Use warm oil.' || said.startsWith('Sleep') ? { label: 'none' } : {},
    );
    for (const dry of [['--dry-run'], []]) {
      const done = ok(await run('import pilot', ratings, claims, ...dry));
      expect(done).toMatch(imported('claims', 6, 2, 0, 1));
      expect(done).toContain('3 items begun and not done yet\n');
      expect(done.match(/ \(Uma\): .*/g)).toEqual(Array(3).fill(' (Uma): treatment_relevance (4), claims missing'));
    }
  });

  it('ends with 2 where filled cells are not read, and names them once', async () => {
    const { run, file, sheet } = await exported();
    ok(await run(CREATE.replace('pilot', 'other')));
    const path = sheet('Asha', RATINGS);
    fill(path, ({ response }) => (response === '' ? { prakriti: 'vata', comment: 'not asked here' } : {}));
    writeFileSync(path, readFileSync(path, 'utf8').replace('"prakriti"', '"prakrti"'));
    const done = await run('import pilot', path);
    expect(done.code).toBe(2);
    expect(done.stderr.match(/row \d, comment: the question is not asked of this case/g)).toHaveLength(2);
    // Four cells say that nothing is asked there, which nobody has filled in.
    expect(done.stderr).toMatch(
      /row \d, prakrti: the column "prakrti" is not a column of this sheet: 2 filled cells are left out \(did you mean prakriti\?\)/,
    );

    const another = await run('import other', path);
    expect(another.code).toBe(2);
    expect(another.stdout).toMatch(/ not read /);
    expect(another.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(
        /none of its items is in the review "other", found "i.*\(is it a sheet of another review\?\)$/,
      ),
      expect.stringMatching(/^Cells that are named were not read/),
    ]);
    const asRavi = await run('import pilot', path, '--as', 'Ravi');
    expect(asRavi.stderr.trim().split('\n')).toHaveLength(2);
    expect(asRavi.stderr).toContain('the sheet is "Asha"’s, and was to be read as "Ravi"’s');
    expect(refused(await run('import pilot', file('l.csv', "reviewer,item,comment\nAsha,i1,'a, b'\n")))).toContain(
      `the delimiter of texts is ' instead of "`,
    );
  });

  it('prints commands that work when they are pasted', async () => {
    const { run } = consultations();
    const there = ['--data', 'my data'];
    expect(ok(await run('list', ...there))).toContain("assay review create NAME --recipe RECIPE … --data 'my data'\n");
    const made = ok(await run(CREATE, ...there));
    expect(made).toContain("assay review serve pilot --data 'my data'\n");
    expect(made).toContain("assay review export pilot --out sheets --data 'my data'\n");
    expect(ok(await run('export pilot --out sheets', ...there))).toContain(
      "assay review import pilot sheets/WHO/FILE.csv --data 'my data'\n",
    );
    const links = await run('links pilot --revoke Ravi', ...there);
    expect(links.stderr).toContain("assay review links pilot --renew WHO --data 'my data' makes a new link");
  });

  it('names bad cells, keeps the others, and ends with 2', async () => {
    const { folder, run, sheet } = await exported();
    const path = sheet('Asha', RATINGS);
    fill(path, ({ response, text = '' }) =>
      response === '' ? { prakriti: text.includes('cold') ? 'vata' : 'wind\u001b[2J' } : {},
    );
    const done = await run('import pilot', path, 'none.csv');
    expect(done.code).toBe(2);
    expect(done.stdout).toMatch(imported('ratings', 6, 1, 0, 1));
    expect(done.stderr).toMatch(/row \d, prakriti: .*wind/);
    expect(done.stderr).not.toContain('\u001b');
    expect(done.stderr).toContain('none.csv: no such file');
    expect(done.stderr).toContain('all others are kept');
    const store = openStore(join(folder, '.assay'));
    const { id } = store.reviews.find('pilot')!;
    expect(store.reviews.states(id).map(({ committed }) => committed)).toEqual([true]);
    store.close();
  });

  it('leaves complete items open with --no-commit, and tells whose work is left', async () => {
    const { folder, run } = consultations();
    ok(await run(CREATE));
    ok(await run('export pilot --out s --reviewer Asha'));
    expect(readdirSync(join(folder, 's'))).toEqual(['Asha']);
    const path = join(folder, 's/Asha', RATINGS);
    fill(path, ({ response }) => (response === '' ? { prakriti: 'vata' } : {}));
    ok(await run('import pilot', path, '--no-commit'));
    const { missing } = JSON.parse(ok(await run('status pilot --json'))) as { missing: unknown[] };
    expect(missing[0]).toEqual({ name: 'Asha', items: 6, answers: { treatment_relevance: 16 } });
    expect(ok(await run('status pilot'))).toContain('Asha: 6 items (treatment_relevance 16)');
  });

  it('does not write over sheets that somebody may have filled in', async () => {
    const { run } = await exported();
    expect(refused(await run('export pilot --out s'))).toMatch(/somebody may have filled them in\n.*--force/);
    ok(await run('export pilot --out s --force'));
    expect(refused(await run('export pilot'))).toContain('--out FOLDER');
    ok(await run('export pilot --format csv --out a.csv'));
    expect(refused(await run('export pilot --format csv --out a.csv'))).toContain('exists already');
  });

  it('makes, renews, revokes and adds links, and keeps none of them', async () => {
    const { folder, run } = consultations();
    ok(await run(CREATE));
    const links = async (...more: string[]) =>
      JSON.parse(ok(await run('links pilot --json', ...more))) as { name: string; link: string | null }[];
    const first = await links();
    expect(first.map(({ name }) => name)).toEqual(['Asha', 'Ravi', 'Meera', 'Lata', 'Dev', 'Jo', 'Kim']);
    expect(await links()).toEqual(first);
    const token = first[0]!.link!.split('#')[1]!;
    for (const name of readdirSync(join(folder, '.assay')))
      expect(readFileSync(join(folder, '.assay', name)).includes(token), name).toBe(false);
    expect(statSync(join(folder, '.assay/review-secret')).mode & 0o777).toBe(0o600);

    const changed = await links(...words('--renew Asha --revoke Ravi --add Priya:expert --base-url https://r.org'));
    expect(changed.map(({ name }) => name)).toContain('Priya');
    expect(changed[0]!.link).toMatch(/^https:\/\/r\.org\/#/);
    expect(changed[0]!.link).not.toContain(token);
    expect(changed[1]).toMatchObject({ name: 'Ravi', link: null, closed: expect.stringContaining('revoked') });
    expect(ok(await run('people pilot'))).toMatch(/Priya +reviewer +expert +6 /);
    // A link has a line to itself; one that ends soon shows the time.
    const text = ok(await run('links pilot --renew Meera --expires 12h'));
    expect(text).toMatch(
      /^Meera \(reviewer, expert\) {2}until \d{4}-\d\d-\d\dT\d\d:\d\dZ\n {2}http:\/\/127\.0\.0\.1:4319\/#[\w-]{43}$/m,
    );
    expect(text).toMatch(/^Ravi \(reviewer, expert\)\n {2}no link: revoked on/m);
    expect(refused(await run('links pilot --renew Ashaa'))).toContain('did you mean Asha?');
    expect(refused(await run('links pilot --base-url ftp://x'))).toContain('http or https');
    expect(refused(await run('links pilot --renew Asha --revoke Asha'))).toContain('one of the two');
  });

  it('takes many decisions from a file, all or none, and shows their history', async () => {
    const { file, run, sheet } = await exported();
    for (const [name, prakriti] of [
      ['Asha', 'vata'],
      ['Ravi', 'pitta'],
      ['Meera', 'kapha'],
    ] as const) {
      fill(sheet(name, RATINGS), ({ response }) => (response === '' ? { prakriti } : {}));
      ok(await run('import pilot', sheet(name, RATINGS)));
    }
    const [one = '', two = ''] = (JSON.parse(ok(await run('adjudicate pilot --json'))) as { item: string }[]).map(
      ({ item }) => item,
    );
    const decisions = (...rows: string[]): string =>
      file('decisions.csv', `item;field;part;value;by;because\n${rows.join('\n')}\n`);
    const wrong = decisions(`${one};prakriti;;vatta;Jo;x`, `${two};prakriti;;vata;Jo;`, `nope;prakriti;;vata;Jo;`);
    const message = refused(await run('adjudicate pilot --file', wrong));
    expect(message).toMatch(/decisions\.csv:2: row 2: .*vatta/);
    expect(message).toMatch(/decisions\.csv:4: row 4: there is no conflict about the item "nope"/);
    expect(ok(await run('adjudicate pilot --history'))).toContain('Nothing has been decided yet.\n');

    const good = decisions(`${one};prakriti;;vata;Jo;`, `${two};prakriti;;tridosha;;"all three; see notes"`);
    expect(ok(await run('adjudicate pilot --file', good))).toBe(
      '2 decisions kept, 0 held already. No conflict is open.\n',
    );
    expect(ok(await run('adjudicate pilot --file', good))).toBe(
      '0 decisions kept, 2 held already. No conflict is open.\n',
    );
    ok(await run(`adjudicate pilot --item ${one} --field prakriti --value [open]`));
    expect(ok(await run('adjudicate pilot --list'))).toContain('1 conflict open.');
    const history = JSON.parse(ok(await run('adjudicate pilot --history --json'))) as object[];
    expect(history).toMatchObject([
      { by: 'Jo', item: one, value: 'vata', because: '' },
      { by: 'Jo', item: two, value: 'tridosha', because: 'all three; see notes' },
      { by: 'Jo', item: one, value: null },
    ]);
    const unheard = `adjudicate pilot --item ${one} --field prakriti --value tridosha`;
    expect(refused(await run(unheard))).toContain('a reason is needed');
    expect(refused(await run(`${unheard} --by Asha`))).toContain('no adjudicator "Asha"');
    expect(refused(await run('adjudicate pilot --value vata'))).toContain('--item ID');
  });

  it('asks experts of cases before there is any answer, and of cases that nobody answered', async () => {
    const { file, run } = consultations();
    const people = words('--recipe consult/ayurmind --cases cases.csv --reviewer Asha:expert --json');
    const alone = JSON.parse(ok(await run('create truth', ...people)));
    expect(alone).toMatchObject({ cases: 2, answers: 0, people: [{ name: 'Asha', items: 2 }, { name: 'owner' }] });
    file('one.jsonl', '{"case_id": "2", "response": "Rest."}');
    const some = JSON.parse(ok(await run('create some', ...people, '--predictions', 'one.jsonl')));
    expect(some).toMatchObject({ cases: 2, answers: 1 });
  });

  it('reviews objects, spans and extractions by the same commands', async () => {
    const { run } = consultations();
    const made = async (line: string): Promise<unknown> =>
      JSON.parse(ok(await run(`create ${line} --reviewer Ann --reviewer Ben --adjudicator Cay --json`)));
    const journal = (name: string): string => example(`journal/${name}.jsonl`);
    const diary = `--cases ${journal('journals')} --gold ${journal('gold')} --predictions a=${journal('predictions')}`;
    // Eight entries, of which the example's system failed on one.
    expect(await made(`diary --recipe journal/review ${diary}`)).toMatchObject({
      cases: 0,
      answers: 7,
      notices: ['1 case has no answer of "a": not under review'],
    });
    expect(await made(`letters --recipe pii/review --cases ${example('pii/docs.json')}`)).toMatchObject({
      answers: 5,
      people: [{ name: 'Ann', items: 5 }, { name: 'Ben', items: 5 }, {}, {}],
    });
    const towns = `--gold ${example('graph/items.jsonl')} --predictions ${example('graph/outputs.jsonl')}`;
    await made(`towns --recipe graph/review ${towns}`);
    expect(ok(await run('list'))).toMatch(/diary .*\nletters .*\ntowns /);
    ok(await run('export letters --out s'));
  });

  it('reviews what assay run left, and sends scores to the traces of that run', async () => {
    const { folder, run } = consultations();
    mkdirSync(join(folder, 'run'));
    const dataset = { name: 'towns', backend: 'local', version: 'v', items: 6 };
    const begun = {
      given: {},
      dataset,
      prompt: null,
      target: 't',
      identity: {},
      startedAt: '2026-01-01T00:00:00.000Z',
    };
    const record = { format: 1, assay: '0', name: 'town-run', id: 'run-7', ...begun };
    writeFileSync(join(folder, 'run/experiment.json'), JSON.stringify(record));
    copyFileSync(example('graph/items.jsonl'), join(folder, 'run/items.jsonl'));
    copyFileSync(example('graph/outputs.jsonl'), join(folder, 'run/outputs.jsonl'));
    const made = await run('create towns --recipe graph/review --run run --reviewer Ann');
    expect(ok(made)).toContain('Created the review towns\n5 answers');
    expect(ok(await run('export towns --out s'))).toContain(CLAIMS);
    fill(join(folder, 's/Ann', CLAIMS), () => ({ label: 'right' }));
    expect(ok(await run('import towns', join(folder, 's/Ann', CLAIMS)))).toMatch(/ claims .* 5\n/);
    const sent = ok(await run('export towns --format langfuse'));
    expect(sent).toMatch(/^\d+ scores in .*store\.db; 1 score config made\n$/);
    expect(ok(await run('export towns --format langfuse'))).toBe(sent.replace('; 1 score config made', ''));
    const store = openStore(join(folder, '.assay'));
    const { total } = store.scores.list({ names: ['review_extractions'] }, { page: 1, limit: 1000 });
    expect(sent).toContain(`${total} scores`);
    const first = store.scores.ofTrace(traceIdsOf('run-7', 'G01', 1).traceId);
    // The example's system found four entities and four relationships in the first text.
    expect(first.map(({ stringValue }) => stringValue)).toEqual(Array(8).fill('right'));
    store.close();
  });

  it('says what is wrong with a call', async () => {
    const { run, file, folder } = consultations();
    expect(ok(await run('list'))).toContain('There is no review in');
    expect(refused(await run('status pilot'))).toContain('assay review create NAME makes one');
    expect(existsSync(join(folder, '.assay'))).toBe(false);
    const consult = '--recipe consult/ayurmind --cases cases.csv';
    const one = `${consult} --predictions vanilla.jsonl`;
    for (const [line, why] of [
      ['p --recipe pii/strict --cases x --reviewer A', /no review section[^]*consult\/ayurmind, .*pii\/review/],
      ['p --recipe pii/review --cases x', /there is no reviewer/],
      [`p ${consult} --reviewer A:exprt`, /did you mean expert\?/],
      [`p ${consult} --predictions a=vanilla.jsonl --predictions a=cases.csv --reviewer A`, /cases\.csv:2: response/],
      [`p ${one} --reviewer A --seed x`, /--seed x/],
      [`p ${one} --reviewer A --expires soon`, /--expires/],
      [`../p ${one} --reviewer A`, /cannot be the name of a review/],
    ] as const)
      expect(refused(await run(`create ${line}`)), line).toMatch(why);
    expect(existsSync(join(folder, '.assay'))).toBe(false);
    ok(await run(`create p ${one} --reviewer A`));
    expect(refused(await run(`create p ${one} --reviewer A`))).toContain('a review named "p" already');
    expect(refused(await run('status pp'))).toContain('did you mean "p"?');
    expect(refused(await run('import p', file('odd.csv', 'a,b\n1,2\n')))).toMatch(/odd\.csv:1: header: .*item/);
  });

  it('has help with examples for each of its commands, in 80 columns', async () => {
    const { run } = consultations();
    const { stdout } = await run('--help');
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'help');
    expect(commands).toEqual(expect.arrayContaining(words('create list people links export import status adjudicate')));
    for (const line of ['--help', ...commands.map((name) => `${name} --help`)]) {
      const help = ok(await run(line));
      expect(help, line).toContain('Examples:');
      expect(help, line).not.toMatch(/^.{81}/mu);
    }
  });
});
