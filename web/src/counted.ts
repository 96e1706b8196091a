/** @example counted(2, 'person', 'people') // '2 people' */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
