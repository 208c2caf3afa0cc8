import { catalogue } from '../catalogue.ts'

export const rankingReturnMessages = catalogue('rankingReturn', {
  title: 'Signing in',
  working: 'Signing in…',
  failedTitle: 'Sign-in failed',
  invalidReturn: 'This sign-in was started in another tab or has already been used. Start again.',
  refused: 'The ranking site did not sign you in.',
  linked: 'Ranking site linked.',
  toSettings: 'Back to settings',
  toSignIn: 'Back to sign in',
})

export type RankingReturnMessages = typeof rankingReturnMessages.english
