import { catalogue } from '../catalogue.ts'

export const unsubscribeMessages = catalogue('unsubscribe', {
  title: 'Unsubscribe',
  about:
    'Your address gets no more mail that is not about the event itself. Mail about the event still arrives.',
  unsubscribe: 'Unsubscribe',
  done: 'Done. Your address is unsubscribed.',
  bad: 'This link is not valid. Open the one in the mail again.',
})

export type UnsubscribeMessages = typeof unsubscribeMessages.english
