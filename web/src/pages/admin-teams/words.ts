import { catalogue } from '../../text/catalogue.ts'
import { adminTeams } from '../../text/en/admin-teams.ts'

export const words = catalogue(adminTeams, {
  de: async () => (await import('../../text/de/admin-teams.ts')).adminTeams,
})
