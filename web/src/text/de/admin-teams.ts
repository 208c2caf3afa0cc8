import type { AdminTeamsWords } from '../en/admin-teams.ts'

export const adminTeams: AdminTeamsWords = {
  title: 'Teams',
}
