import type { RankingReturnMessages } from '../en/ranking-return.ts'

export const rankingReturn: RankingReturnMessages = {
  title: 'Anmeldung',
  working: 'Wird angemeldet …',
  failedTitle: 'Anmeldung fehlgeschlagen',
  invalidReturn: 'Diese Anmeldung wurde in einem anderen Tab begonnen oder schon verwendet. Beginnt erneut.',
  refused: 'Die Ranking-Seite hat euch nicht angemeldet.',
  linked: 'Ranking-Seite verknüpft.',
  toSettings: 'Zurück zu den Einstellungen',
  toSignIn: 'Zurück zur Anmeldung',
}
