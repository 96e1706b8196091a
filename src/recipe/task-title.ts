/** What reports and messages call the task of a recipe: spans are the task `pii` in recipes and run folders, whatever their labels. */
export function taskTitle(task: string): string {
  return task === 'pii' ? 'spans' : task;
}
