import type { ConsentMessages } from '../en/consent.ts'

export const consent: ConsentMessages = {
  title: (client) => `Weiter zu ${client}`,
  refusedTitle: 'Diese Anmeldeanfrage ist ungültig',
  request: (client) => `${client} möchte euch anmelden.`,
  at: 'Es geht weiter zu',
  as: 'als das Team',
  grants: (client) =>
    `${client} kann als euer Team handeln: Flags einreichen, Instanzen starten und euer Profil ändern. Die Seite erhält keine Veranstalterrechte, kann euer Team-Token nicht lesen und nicht ändern, wie ihr euch anmeldet. „Überall abmelden“ in euren Einstellungen beendet den Zugriff. Fahrt nur fort, wenn ihr der Seite vertraut.`,
  banned: 'Euer Team ist gesperrt und kann sich nicht bei anderen Seiten anmelden.',
  home: 'Zur Startseite',
}
