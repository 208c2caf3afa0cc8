export const profile = {
  title: 'Team',
}

export type ProfileWords = typeof profile
