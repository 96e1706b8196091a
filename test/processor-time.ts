/**
 * Milliseconds of processor time that this process has taken. Tests that guard against work growing with the square of its
 * input look at this and not at the clock, which also counts what else the machine does.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
