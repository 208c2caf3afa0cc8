import { catalogue } from '../catalogue.ts'

export const messagesMessages = catalogue('messages', {
  title: 'Messages to the organisers',
  about: 'Only your team and the organisers can read these.',
  new: 'Ask the organisers',
  subject: 'Subject',
  challenge: 'About',
  general: 'Something else',
  content: 'Message',
  contentHelp: 'Markdown works. Never include a flag that you have not submitted.',
  send: 'Send',
  sent: 'Sent. You are notified here when somebody answers.',
  none: 'You have not asked anything yet.',
  threads: 'Your questions',
  thread: 'Conversation',
  back: 'All messages',
  unread: (count: number) => `${count} new`,
  status: { waiting: 'Waiting for an answer', answered: 'Answered', closed: 'Closed' },
  reply: 'Reply',
  toChallenge: 'Go to challenge',
  closed: 'This conversation is closed. Start a new one if you have another question.',
  states: {
    off: 'The organisers do not take messages at the moment.',
    before: 'Messages open when the event starts.',
    ended: 'The event is over, so messages are closed.',
    banned: 'Your team is banned. You can read messages but not write.',
  },
  refused: {
    badMessageCount: 'You have reached the limit. Wait for an answer before you ask again.',
    badMessagesClosed: 'The organisers do not take messages at the moment.',
    badMessageThread: 'This conversation no longer exists.',
    badMessageThreadClosed: 'This conversation was closed. Start a new one.',
  },
  deletedPerson: 'A deleted person of your team',
  errors: { missing: 'This field is required.' },
})

export type MessagesMessages = typeof messagesMessages.english
