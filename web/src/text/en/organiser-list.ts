import { catalogue } from '../catalogue.ts'

/** Messages that the organisers' lists share. */
export const organiserListMessages = catalogue('organiserList', {
  columns: 'Columns',
  csv: 'CSV',
  csvRunning: (done: string, total: string) => `${done} of ${total} rows`,
  csvCancel: 'Cancel',
  csvTruncated: (most: string) =>
    `The file contains the first ${most} rows. Narrow the filters to export the rest.`,
  search: 'Search',
  previous: 'Previous page',
  next: 'Next page',
  goTo: 'Go to page',
  rows: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  selected: (count: number) => (count === 1 ? '1 selected' : `${count} selected`),
  clear: 'Clear selection',
  progress: (done: number, total: number) => `${done} of ${total} done`,
  stop: 'Stop',
  close: 'Close',
  failed: (count: number) => (count === 1 ? '1 failed:' : `${count} failed:`),
  retry: 'Retry failed',
})

export type OrganiserListMessages = typeof organiserListMessages.english
