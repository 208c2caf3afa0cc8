import type { ConsentMessages } from '../en/consent.ts'

export const consent: ConsentMessages = {
  title: (client) => `Weiter zu ${client}`,
  refusedTitle: 'Diese Anmeldeanfrage ist ungültig',
  request: (client) => `${client} möchte euch anmelden.`,
  at: 'Es geht weiter zu',
  as: 'als das Team',
  grants: (client) =>
    `${client} kann als euer Team handeln: Flags einreichen, Instanzen starten und euer Profil ändern. Die Seite erhält keine Veranstalterrechte, kann euer Team-Token nicht lesen und nicht ändern, wie ihr euch anmeldet. „Überall abmelden“ in euren Einstellungen beendet den Zugriff. Fahrt nur fort, wenn ihr der Seite vertraut.`,
  learns: (client, scopes) => {
    const facts = [
      'eine Nummer, an der sie euch erkennt',
      ...(scopes.includes('profile') ? ['euren Namen'] : []),
      ...(scopes.includes('team') ? ['euer Team'] : []),
      ...(scopes.includes('division') ? ['eure Wertung'] : []),
    ]
    return `${client} erfährt über euch nur das: ${facts.join(', ')}. Die Seite kann hier nicht in eurem Namen handeln.`
  },
  openIdRefused:
    'Die Seite fragt auf eine Art, die nicht unterstützt wird. Wer sie betreibt, muss den Authorization Code Flow mit PKCE (S256) verwenden.',
  banned: 'Euer Team ist gesperrt und kann sich nicht bei anderen Seiten anmelden.',
  home: 'Zur Startseite',
}
