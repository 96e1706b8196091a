import { expect, test } from 'vitest';

import type { JobTask } from '../../../src/experiment/queue/jobs.ts';
import { WorkerEndings } from '../../../src/experiment/queue/worker-endings.ts';

const first: JobTask = [0, 1];
const second: JobTask = [1, 1];

test('a task whose call was begun when its worker ended is tried alone, one that was not begun goes on as before', () => {
  const endings = new WorkerEndings(([at]) => ({ calls: at === 0 ? 1 : 0, alone: 0 }));
  expect(endings.after([first, second], 'job stalled', false)).toEqual({
    crashed: [],
    suspects: [first],
    sound: [second],
  });
});

test('a task that ended three workers alone is given up, unless something else went well in between', () => {
  const endings = new WorkerEndings();
  const crashed = (): number => endings.after([first], 'job stalled', true).crashed.length;
  expect([crashed(), crashed()]).toEqual([0, 0]);
  endings.forget('0 1');
  expect([crashed(), crashed(), crashed()]).toEqual([0, 0, 1]);
});
