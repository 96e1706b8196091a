import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { type Delivery, DecisionOutbox, type PendingDecision, type Shelf } from '../../../web/src/adjudicate/outbox.ts';

function shelf(text: string | null = null): Shelf & { text: string | null } {
  return {
    text,
    read() {
      return this.text;
    },
    write(written) {
      this.text = written;
    },
  };
}
function decision(id: string, value: string | null = 'vata'): PendingDecision {
  return { conflict: 'c1', request: { id, value, because: '' } };
}

/** An outbox whose sending is answered from `deliveries`, one after the other. */
function outboxWith(deliveries: Delivery[], place = shelf()) {
  const sent: string[] = [];
  const refused: string[] = [];
  const box = new DecisionOutbox({
    shelf: place,
    send: async (pending) => {
      sent.push(pending.request.id);
      await pause(1);
      return deliveries.shift() ?? { kind: 'saved' };
    },
    changed: () => {},
    refused: (pending, message) => refused.push(`${pending.request.id}: ${message}`),
  });
  return { box, sent, refused, place };
}

async function until(test: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !test(); turn += 1) await pause(5);
}

describe('the outbox of decisions', () => {
  it('sends in the order of deciding and forgets what has arrived', async () => {
    const { box, sent, place } = outboxWith([]);
    box.put(decision('one'));
    box.put(decision('two', null));
    expect(box.state.pending).toHaveLength(2);
    await until(() => box.state.pending.length === 0);
    expect(sent).toEqual(['one', 'two']);
    expect(place.text).toBe('[]');
  });

  it('sends again under the same id what did not arrive, and keeps it on the shelf until then', async () => {
    const { box, sent, place } = outboxWith([{ kind: 'later', message: 'cannot reach the server' }]);
    box.put(decision('one'));
    await until(() => box.state.trouble !== null);
    expect(box.state.trouble).toBe('cannot reach the server');
    expect(place.text).toBe(JSON.stringify([decision('one')]));
    box.now();
    await until(() => box.state.pending.length === 0);
    expect(sent).toEqual(['one', 'one']);
    expect(box.state.trouble).toBeNull();
  });

  it('tries again by itself after a pause', async () => {
    const { box, sent } = outboxWith([{ kind: 'later', message: 'busy' }]);
    box.put(decision('one'));
    await until(() => sent.length === 2);
    expect(sent).toEqual(['one', 'one']);
  });

  it('says what was refused, and goes on with the next', async () => {
    const { box, sent, refused } = outboxWith([{ kind: 'refused', message: 'not a value of this question' }]);
    box.put(decision('one'));
    box.put(decision('two'));
    await until(() => box.state.pending.length === 0);
    expect(refused).toEqual(['one: not a value of this question']);
    expect(sent).toEqual(['one', 'two']);
  });

  it('takes up what an earlier visit left, and nothing that is not a decision', async () => {
    const left = shelf(JSON.stringify([decision('left'), { conflict: 'x' }, 7, null]));
    const { box, sent } = outboxWith([], left);
    expect(box.state.pending.map((pending) => pending.request.id)).toEqual(['left']);
    box.now();
    await until(() => sent.length === 1);
    expect(sent).toEqual(['left']);
    expect(outboxWith([], shelf('{broken')).box.state.pending).toEqual([]);
  });
});
