import type { AdminClientsMessages } from '../en/admin-clients.ts'

export const adminClients: AdminClientsMessages = {
  title: 'Anmelde-Clients',
  about:
    'Andere Seiten, bei denen man sich mit diesem Wettbewerb anmelden kann. Mit OpenID Connect erfährt eine Seite, wer sich anmeldet. Mit der API dieses Wettbewerbs kann sie als jedes zustimmende Team handeln, erhält aber keine Veranstalterrechte.',
  api: 'Alle Routen der API',
  table: 'Clients',
  none: 'Noch keine Anmelde-Clients.',
  nameHelp: 'Teams sehen diesen Namen, wenn sie um Zustimmung gebeten werden.',
  redirectUri: 'Redirect-URI',
  redirectHelp: 'Eine absolute http- oder https-URL. Sie muss exakt übereinstimmen.',
  kind: 'Wie sie anmeldet',
  kinds: {
    openid: 'OpenID Connect (die meisten Seiten)',
    externalAuth: 'Die API dieses Wettbewerbs, um als Team zu handeln',
  },
  openIdSteps:
    'Tragt das bei der anderen Seite ein. Sie braucht den Authorization Code Flow mit PKCE (S256).',
  issuer: 'Aussteller (Issuer)',
  discovery: 'Discovery',
  copyNamed: (label) => `Kopieren: ${label}`,
  scopes: 'Scopes',
  id: 'Client-ID',
  copyOf: (name) => `ID von ${name} kopieren`,
  created: 'Angelegt',
  createdBy: 'Von',
  deletedTeam: 'einem gelöschten Team',
  new: 'Neuer Client',
  create: 'Client anlegen',
  createdTitle: (name) => `${name} angelegt`,
  shownOnce:
    'Das Client-Secret wird nur einmal angezeigt. Speichert es so, dass nur die andere Seite es lesen kann.',
  secret: 'Client-Secret',
  savedCheckbox: 'Ich habe das Secret gespeichert',
  saveFirst: 'Speichert zuerst das Secret.',
  done: 'Fertig',
  sample: 'So meldet die andere Seite Teams an',
  sampleOf: (name) => `So meldet ${name} Teams an`,
  showSample: 'Beispiel',
  showSampleOf: (name) => `Beispiel für ${name}`,
  steps: {
    send: 'Schickt den Besucher mit einem zufälligen, nicht erratbaren state zu dieser URL.',
    exchange:
      'Der Besucher kommt mit einem Code und dem state zurück. Vergleicht den state und tauscht den Code innerhalb einer Minute von eurem Server aus ein.',
    read: 'Das Access-Token in der Antwort meldet als das Team an und identifiziert es.',
  },
  deleteOf: (name) => `${name} löschen`,
  deleteAbout:
    'Der Client kann niemanden mehr anmelden. Schon ausgestellte Token gelten weiter, wenn ihr sie hier nicht beendet.',
  endTokens: 'Seine ausgestellten Token beenden',
  endTokensHelp: 'Teams werden dort abgemeldet. Token früherer Pennant-Versionen gelten weiter.',
  unconfirmed: 'Wir konnten das nicht bestätigen. Prüft die Liste, bevor ihr es erneut versucht.',
  errors: {
    missing: 'Dieses Feld ist erforderlich.',
    address: 'Gebt eine absolute http- oder https-URL ein.',
  },
}
