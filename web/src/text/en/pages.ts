import { catalogue } from '../catalogue.ts'

/** Pages of the organisers, such as rules. */
export const pagesMessages = catalogue('pages', {
  mustAccept: 'Before you submit flags, your team must accept:',
  accept: 'Accept for the team',
  yourData: 'Your data: download or delete it',
  missing: 'This page does not exist, or it is not published.',
  contents: 'On this page',
  languages: 'Languages',
  otherLanguage: 'This page is not available in your language.',
  edited: (time: string) => `Last changed ${time}`,
  accepted: 'Your team has accepted this page.',
  acceptAtRegistration: (title: string) => `We accept: ${title}`,
  read: (title: string) => `Read ${title}`,
})

export type PagesMessages = typeof pagesMessages.english
