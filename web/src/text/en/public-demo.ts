import { catalogue } from '../catalogue.ts'

export const publicDemoMessages = catalogue('publicDemo', {
  about: (time: string) => `Public demo: resets at ${time}. Everyone sees what you do.`,
  resetting: 'Public demo: starting over…',
  player: 'Sign in as player',
  organiser: 'Sign in as organiser',
  failed: 'Could not sign in. Try again in a moment.',
})

export type PublicDemoMessages = typeof publicDemoMessages.english
