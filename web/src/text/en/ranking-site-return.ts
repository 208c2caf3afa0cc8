export const rankingSiteReturn = {
  title: 'Signing in',
}

export type RankingSiteReturnWords = typeof rankingSiteReturn
