import { catalogue } from '../catalogue.ts'
import { counted } from '../counted.ts'

/** Messages that the organisers' lists share. */
export const organiserListMessages = catalogue('organiserList', {
  columns: 'Columns',
  csv: 'CSV',
  csvRunning: (done: string, total: string) => `${done} of ${counted(total, 'row', 'rows')}`,
  csvTruncated: (most: string) =>
    `The file contains the first ${most} rows. Narrow the filters to export the rest.`,
  previous: 'Previous page',
  next: 'Next page',
  goTo: 'Go to page',
  rows: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  selected: (count: number) => (count === 1 ? '1 selected' : `${count} selected`),
  clear: 'Clear selection',
  progress: (done: number, total: number) => `${done} of ${total} done`,
  stop: 'Stop',
  failed: (count: number) => (count === 1 ? '1 failed:' : `${count} failed:`),
  retry: 'Retry failed',
  tryFlags: {
    title: 'Try flags',
    about:
      'Compared as a submission would be, without submitting anything: no solve, no points, no first blood.',
    flag: 'Flag to try',
    tryOne: 'Try flag',
    tryAll: 'Try flags',
    empty: 'Enter a flag.',
    wait: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
    outcomes: {
      accepted: 'This flag is accepted.',
      refused: 'This flag is refused.',
      noFlag: 'This challenge takes no flags.',
      noChallenge: 'This challenge was deleted.',
    },
  },
  pictureFailures: {
    address: 'This is no address of a site on the internet.',
    unreachable: 'The site did not respond with a picture.',
    tooLarge: 'The picture is larger than 10 MB.',
    noPicture: 'This is no PNG, JPEG, GIF, WebP, AVIF or SVG picture.',
    limit: 'An import fetches at most 100 pictures of 100 MB together, in two minutes.',
    notStored: 'The picture could not be stored.',
  },
  foreignPictures: (count: number) =>
    count === 1 ? '1 picture of another site' : `${count} pictures of other sites`,
  foreignPicturesAbout: 'Readers see links instead, so that these sites do not learn who reads the texts.',
  storeForeignPictures: 'Fetch these pictures and store them here',
  picturesLeft: 'The import is done. These pictures could not be stored and stay where they are:',
})

export type OrganiserListMessages = typeof organiserListMessages.english
