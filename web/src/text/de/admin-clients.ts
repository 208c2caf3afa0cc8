import type { AdminClientsWords } from '../en/admin-clients.ts'

export const adminClients: AdminClientsWords = {
  title: 'Anmeldung bei anderen Seiten',
  about:
    'Andere Seiten, die Besucher mit einem Team dieses Wettbewerbs anmelden dürfen. Jede bekommt vollen Zugang als das Team, das zustimmt.',
  table: 'Seiten',
  none: 'Keine andere Seite meldet Teams an.',
  name: 'Name',
  nameHelp: 'Teams sehen ihn, wenn sie gefragt werden.',
  redirectUri: 'Adresse für die Rückkehr',
  redirectHelp:
    'Gespeichert wie eingegeben und Zeichen für Zeichen verglichen: eine ganze http- oder https-Adresse.',
  id: 'Client-Id',
  copyOf: (name) => `Id von ${name} kopieren`,
  created: 'Angelegt',
  createdBy: 'Von',
  gone: 'einem gelöschten Team',
  actions: 'Aktionen',
  new: 'Neue Seite',
  create: 'Seite anlegen',
  madeTitle: (name) => `${name} ist angelegt`,
  onceOnly:
    'Das Geheimnis ist nur dieses eine Mal zu sehen. Es gehört dorthin, wo die andere Seite es liest und sonst niemand.',
  secret: 'Client-Geheimnis',
  stored: 'Das Geheimnis ist gespeichert',
  storeFirst: 'Zuerst das Geheimnis speichern.',
  done: 'Fertig',
  sample: 'So meldet die andere Seite ein Team an',
  sampleOf: (name) => `So meldet ${name} ein Team an`,
  showSample: 'Beispiel',
  showSampleOf: (name) => `Beispiel für ${name}`,
  close: 'Schließen',
  steps: {
    send: 'Sie schickt den Besucher zu dieser Adresse, mit einem eigenen state, den niemand errät.',
    exchange:
      'Der Besucher kommt mit einem Code und diesem state zurück. Sie vergleicht den state und tauscht von ihrem Server aus den Code binnen einer Minute ein.',
    read: 'Das accessToken der Antwort meldet als das Team an und sagt, welches es ist.',
  },
  delete: 'Löschen',
  deleteOf: (name) => `${name} löschen`,
  deleteTitle: (name) => `${name} löschen?`,
  deleteAbout: 'Sie meldet niemanden mehr an. Schon ausgegebene Token gelten weiter.',
  deleted: (name) => `${name} ist gelöscht.`,
  noAnswer:
    'Nicht gesendet, oder die Antwort ging verloren. Erst in der Liste nachsehen, dann noch einmal versuchen.',
  faults: {
    missing: 'Das wird gebraucht.',
    address: 'Das ist keine ganze http- oder https-Adresse.',
  },
}
