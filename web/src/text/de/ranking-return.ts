import type { RankingReturnWords } from '../en/ranking-return.ts'

export const rankingReturn: RankingReturnWords = {
  title: 'Anmeldung',
  working: 'Wird angemeldet …',
  failedTitle: 'Die Anmeldung ging nicht',
  notOurs:
    'Diese Anmeldung wurde nicht in diesem Tab begonnen oder ist schon benutzt. Bitte beginnt noch einmal.',
  refused: 'Die Ranking-Seite hat euch nicht angemeldet.',
  linked: 'Die Ranking-Seite ist verknüpft.',
  toSettings: 'Zurück zu den Einstellungen',
  toSignIn: 'Zurück zur Anmeldung',
}
