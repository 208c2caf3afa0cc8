export const adminTeams = {
  title: 'Teams',
}

export type AdminTeamsWords = typeof adminTeams
