import type { UnsubscribeMessages } from '../en/unsubscribe.ts'

export const unsubscribe: UnsubscribeMessages = {
  title: 'Abbestellen',
  about:
    'Diese Adresse bekommt keine Mails mehr, in denen es nicht um die Veranstaltung geht. Mails zur Veranstaltung kommen weiter.',
  unsubscribe: 'Abbestellen',
  done: 'Erledigt. Diese Adresse ist abgemeldet.',
  bad: 'Dieser Link gilt nicht. Öffnet den aus der Mail noch einmal.',
}
