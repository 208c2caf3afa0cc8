import type { AdminHintsMessages } from '../en/admin-hints.ts'

const teams = (count: number, shown: string) => `${shown} ${count === 1 ? 'Team' : 'Teams'}`

export const adminHints: AdminHintsMessages = {
  none: 'Noch keine Hinweise. Teams sehen einen Hinweis, sobald er freigegeben ist.',
  hint: (number) => `Hinweis ${number}`,
  free: 'Kostenlos',
  points: (count, shown) => `${shown} ${count === 1 ? 'Punkt' : 'Punkte'}`,
  waits: 'Wartet auf eure Freigabe',
  releasedAt: (time) => `Freigegeben ${time}`,
  releasesAt: (time) => `Freigabe um ${time}`,
  bought: (count, shown) => `Gekauft von ${teams(count, shown)}`,
  release: 'Jetzt freigeben',
  released: 'Der Hinweis ist freigegeben.',
  withdraw: 'Zurückziehen',
  withdrawTitle: 'Diesen Hinweis zurückziehen?',
  withdrawAbout: 'Teams sehen ihn erst wieder, wenn ihr ihn erneut freigebt.',
  withdrawKept: (count, shown) =>
    `${teams(count, shown)} ${count === 1 ? 'hat' : 'haben'} ihn gekauft und ${count === 1 ? 'kann' : 'können'} ihn weiter lesen. Um die Punkte zu erstatten, löscht den Hinweis.`,
  withdrawn: 'Der Hinweis ist zurückgezogen.',
  moveUp: 'Nach oben',
  deleteTitle: (number) => `Hinweis ${number} löschen?`,
  deleteAbout: 'Kein Team hat ihn gekauft.',
  deleteAndRefund: 'Löschen und erstatten',
  refundAbout: (count, shown) =>
    `${teams(count, shown)} ${count === 1 ? 'hat' : 'haben'} ihn gekauft. Die Punkte werden erstattet, der Text ist nicht mehr lesbar.`,
  deleted: 'Der Hinweis wurde gelöscht.',
  add: 'Hinweis hinzufügen',
  form: 'Hinweis',
  textHelp: 'Markdown. Teams, die den Hinweis gekauft haben, sehen auch Änderungen.',
  price: 'Preis in Punkten',
  priceHelp: '0: kostenlos. Ein geänderter Preis ändert nicht, was Teams bezahlt haben.',
  when: 'Freigabe',
  kinds: { manual: 'Von Hand', time: 'Zu einer Zeit', after: 'Einige Zeit nach der Aufgabe' },
  minutes: 'Minuten nach der Aufgabe',
  minutesHelp:
    'Zählt ab dem Start der Veranstaltung, wenn die Aufgabe nicht später freigegeben wird. Verschiebt sich mit ihrer Welle.',
  incomplete: 'Text, Preis und Freigabe angeben.',
  save: 'Hinweis speichern',
}
