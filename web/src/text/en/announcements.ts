import { catalogue } from '../catalogue.ts'

export const announcementsMessages = catalogue('announcements', {
  title: 'Announcements',
  bellUnread: (count: number) => `Announcements, ${count} unread`,
  bellMessages: (messages: number, announced: number) =>
    `Messages, ${messages} unread${announced > 0 ? `; announcements, ${announced} unread` : ''}`,
  askOrganisers: 'Ask the organisers',
  feed: 'Atom feed',
  all: 'All announcements',
  none: 'No announcements yet.',
  unread: 'New',
  pinned: 'Pinned',
  edited: (when: string) => `Edited ${when}`,
  toChallenge: 'Go to challenge',
  newOne: { info: 'Announcement', warning: 'Important announcement', critical: 'Urgent announcement' },
  newAnswer: 'Answer from the organisers',
  severities: { warning: 'Important', critical: 'Urgent' },
  audiences: {
    division: 'For your division',
    team: 'For your team',
    solved: 'For teams that solved the challenge',
    unsolved: 'For teams that have not solved the challenge',
  },
  notifications: 'Show announcements and answers as notifications while this site is in the background',
  notificationsBlocked: 'This browser blocks notifications from this site. Allow them in its settings first.',
})

export type AnnouncementsMessages = typeof announcementsMessages.english
