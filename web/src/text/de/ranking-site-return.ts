import type { RankingSiteReturnWords } from '../en/ranking-site-return.ts'

export const rankingSiteReturn: RankingSiteReturnWords = {
  title: 'Anmeldung läuft',
}
