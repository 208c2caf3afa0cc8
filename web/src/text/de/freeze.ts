import type { FreezeMessages } from '../en/freeze.ts'

export const freeze: FreezeMessages = {
  soon: 'Die Rangliste wird eingefroren in',
  since: (time) => `Rangliste eingefroren seit ${time}.`,
  others: 'Spätere Lösungen sind zu sehen, sobald die Organisatoren das Endergebnis veröffentlichen.',
  own: 'Eure späteren Lösungen sind aufgeführt; Punkte und Platz sind die der eingefrorenen Rangliste.',
  liveNow: 'Ihr seht den aktuellen Stand. Die Teams sehen den eingefrorenen.',
  showLive: 'Aktuellen Stand zeigen',
  showFrozen: 'Zeigen, was Teams sehen',
  publish: 'Endergebnis veröffentlichen',
  publishTitle: 'Endergebnis veröffentlichen?',
  publishText:
    'Alle sehen sofort sämtliche Lösungen, Punkte und Plätze. Das lässt sich nicht zurücknehmen, denn die Teams haben sie dann gesehen.',
  publishNote: (since) =>
    `Die Teams sehen den Stand von ${since}, bis ihr das Ergebnis veröffentlicht, auch nach dem Ende des Wettbewerbs.`,
  upcomingNote: (at) =>
    `Ab ${at} sehen die Teams den Stand dieses Zeitpunkts und ihre eigenen späteren Lösungen.`,
  published: 'Das Ergebnis ist veröffentlicht. Ein neuer Zeitpunkt friert die Rangliste wieder ein.',
}
