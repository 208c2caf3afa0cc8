import type { ProfileWords } from '../en/profile.ts'

export const profile: ProfileWords = {
  title: 'Team',
}
