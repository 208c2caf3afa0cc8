export const rankingReturn = {
  title: 'Signing in',
  working: 'Signing in…',
  failedTitle: 'Sign-in did not work',
  notOurs: 'This sign-in was not begun in this tab, or was used already. Please begin again.',
  refused: 'The ranking site did not sign you in.',
  linked: 'The ranking site is linked.',
  toSettings: 'Back to settings',
  toSignIn: 'Back to sign in',
}

export type RankingReturnWords = typeof rankingReturn
