export { seqClock } from '../../tasks/stream/seq-clock.ts';
