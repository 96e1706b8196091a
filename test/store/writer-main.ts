import { openStore, type Store } from '../../src/store/store.ts';

/** A process of its own that works on a store: `node writer-main.ts FOLDER NAME WORK [COUNT]`. */
const [folder = '', name = '', work = '', count = '0'] = process.argv.slice(2);

const SCORES = 13;

function saveTrace(store: Store, at: number): void {
  const id = `${name} ${at}`;
  store.transaction(() => {
    store.traces.save({ id, input: { text: 'x'.repeat(3000) } });
    store.traces.saveObservation({ id: `${id} root`, traceId: id });
    for (let score = 0; score < SCORES; score += 1)
      store.scores.save({ id: `${id} ${score}`, name: `measure_${score}`, value: score, traceId: id });
  });
}

/** Versions are counted, so that two writers at once would make the same one twice. */
function mixed(store: Store): void {
  for (let at = 0; at < Number(count); at += 1) {
    saveTrace(store, at);
    const own = `${name} ${at}`;
    store.prompts.create({ name: 'shared', type: 'text', prompt: own, labels: ['production'] });
    store.datasets.saveItems('shared', [
      { id: own, input: at },
      { id: 'of all', input: own },
    ]);
    if (at % 5 === 0) store.datasets.version('shared');
  }
}

function endless(store: Store): never {
  for (let at = 0; ; at += 1) {
    saveTrace(store, at);
    process.stdout.write(`${at}\n`);
  }
}

function hold(store: Store): void {
  store.transaction(() => {
    store.traces.save({ id: name });
    process.stdout.write('held\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(count));
  });
}

/** A file that may not grow any more is what a full disk comes down to; without this the system ends the process. */
function fill(store: Store): never {
  process.on('SIGXFSZ', () => undefined);
  for (let at = 0; ; at += 1) saveTrace(store, at);
}

const works: Readonly<Record<string, (store: Store) => void>> = { open: () => undefined, mixed, endless, hold, fill };

const opened = openStore(folder);
works[work]?.(opened);
opened.close();
