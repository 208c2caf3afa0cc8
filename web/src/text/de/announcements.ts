import type { AnnouncementsMessages } from '../en/announcements.ts'

export const announcements: AnnouncementsMessages = {
  title: 'Ankündigungen',
  bellUnread: (count) => `Ankündigungen, ${count} ungelesen`,
  bellMessages: (messages, announced) =>
    `Nachrichten, ${messages} ungelesen${announced > 0 ? `; Ankündigungen, ${announced} ungelesen` : ''}`,
  askOrganisers: 'Die Veranstalter fragen',
  feed: 'Atom-Feed',
  all: 'Alle Ankündigungen',
  none: 'Noch keine Ankündigungen.',
  unread: 'Neu',
  pinned: 'Angeheftet',
  edited: (when) => `Bearbeitet ${when}`,
  toChallenge: 'Zur Aufgabe',
  newOne: { info: 'Ankündigung', warning: 'Wichtige Ankündigung', critical: 'Dringende Ankündigung' },
  newAnswer: 'Antwort der Veranstalter',
  severities: { warning: 'Wichtig', critical: 'Dringend' },
  audiences: {
    division: 'Für eure Wertung',
    team: 'Für euer Team',
    solved: 'Für Teams, die die Aufgabe gelöst haben',
    unsolved: 'Für Teams, die die Aufgabe noch nicht gelöst haben',
  },
  notifications:
    'Ankündigungen und Antworten als Benachrichtigung zeigen, solange diese Seite im Hintergrund ist',
  notificationsBlocked:
    'Dieser Browser blockiert Benachrichtigungen dieser Seite. Erlaubt sie zuerst in seinen Einstellungen.',
}
