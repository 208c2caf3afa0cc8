/** Words that the lists of organisers share. */
export const organiserList = {
  columns: 'Columns',
  search: 'Search',
  previous: 'Previous page',
  next: 'Next page',
  goTo: 'Go to page',
  rows: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
  selected: (count: number) => (count === 1 ? '1 selected' : `${count} selected`),
  clear: 'Clear selection',
  progress: (done: number, total: number) => `${done} of ${total} done`,
  stop: 'Stop',
  close: 'Close',
  failed: (count: number) => (count === 1 ? '1 failed:' : `${count} failed:`),
  retry: 'Try the failed again',
}

export type OrganiserListWords = typeof organiserList
