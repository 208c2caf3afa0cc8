import { filterTeams } from '@pennant/contract/admin-teams.ts'
import { requestData } from '../../api/client.ts'
import { CsvButton } from '../../organisers/csv-button.tsx'
import { statusOf, teamsRequest, type Team } from './queries.ts'

const HEAD = ['team', 'team_id', 'status', 'division', 'email', 'score', 'solves', 'registered']

interface TeamsCsvProps {
  readonly address: Parameters<typeof teamsRequest>[0]
}

/** Exports the filtered teams in the order of the list. */
export function TeamsCsv({ address }: TeamsCsvProps) {
  return (
    <CsvButton
      name="teams"
      head={HEAD}
      load={async ({ offset, limit, signal }) => {
        const page = await requestData(filterTeams, teamsRequest(address, offset, limit), { signal })
        return { rows: page.users.map(cellsOf), total: page.total }
      }}
    />
  )
}

function cellsOf(team: Team): string[] {
  const { name, id, division, email, score, solveCount, createdAt } = team
  return [name, id, statusOf(team), division, email ?? '', String(score), String(solveCount), createdAt]
}
