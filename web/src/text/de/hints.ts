import type { HintsMessages } from '../en/hints.ts'

const points = (count: number, shown: string) => `${shown} ${count === 1 ? 'Punkt' : 'Punkte'}`

export const hints: HintsMessages = {
  title: 'Hinweise',
  count: (count) => (count === 1 ? '1 Hinweis' : `${count} Hinweise`),
  hint: (number) => `Hinweis ${number}`,
  failed: 'Die Hinweise konnten nicht geladen werden. Sie erscheinen, sobald die Verbindung wieder da ist.',
  show: (price, shown) => `Hinweis für ${points(price, shown)} anzeigen`,
  paid: (price, shown) => `für ${points(price, shown)} gekauft`,
  signIn: (price, shown) => `Anmelden, um diesen Hinweis für ${points(price, shown)} zu kaufen`,
  solved: 'Euer Team hat die Aufgabe gelöst. Diesen Hinweis könnt ihr nicht mehr kaufen.',
  tooFew: (price, shown) => `Euer Team hat keine ${points(price, shown)}.`,
  askTitle: (number) => `Hinweis ${number} kaufen?`,
  askAbout: (price, shown) =>
    `Er kostet euer Team einmalig ${points(price, shown)}. Danach können ihn alle Mitglieder lesen.`,
  left: (left, shown) => `Es bleiben ${points(left, shown)}.`,
  priceChanged: (price, shown) =>
    `Der Preis hat sich geändert: ${points(price, shown)}. Es wurde nichts abgezogen.`,
}
