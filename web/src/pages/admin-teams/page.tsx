import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { useConfig } from '../../api/use-contest.ts'
import { useColumnChoice } from '../../organisers/column-choice.tsx'
import { keepsNothing, filterBody } from '../../organisers/filter-body.ts'
import { DebouncedSearch } from '../../ui/fields/debounced-search.tsx'
import { ListTools } from '../../organisers/list-tools.tsx'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { Pager } from '../../organisers/pager.tsx'
import { useListAddress } from '../../organisers/use-list-address.ts'
import { paths } from '../../paths.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { useMessages } from '../../text/messages.ts'
import { FilterChips } from '../../ui/data/filter-chips.tsx'
import { NewTeam } from './new-team.tsx'
import { teamSorts, teamsQuery } from './queries.ts'
import { TeamsCsv } from './teams-csv.tsx'
import { NoTeams, TeamList, useTeamColumns, type Selection } from './team-list.tsx'
import { TeamSheet } from './team-sheet.tsx'

const FIELDS = ['status', 'division']

export function Component() {
  const text = useMessages(adminTeamsMessages)
  const { id } = useParams()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const address = useListAddress({ sorts: teamSorts, direction: 'ascending', fields: FIELDS })
  const isImpossible = keepsNothing(filterBody(address.filters))
  const query = useQuery({ ...teamsQuery(address), enabled: !isImpossible })
  const [selected, setSelected] = useState<Selection>(new Map())
  const show = (path: string) => void navigate({ pathname: path, search: params.toString() })
  const fields = useFields()
  const open = (team: string) => show(paths.adminTeam(team))
  const { shown, chooser } = useColumnChoice('teams', useTeamColumns(open))
  return (
    <OrganiserPage title={text.title} aside={<NewTeam />}>
      <ListTools
        end={
          <>
            {chooser}
            <TeamsCsv address={address} />
          </>
        }
      >
        <DebouncedSearch
          label={text.searchHelp}
          maxLength={100}
          value={address.search}
          onChange={(q) => address.change({ q })}
        />
        <FilterChips fields={fields} filters={address.filters} onChange={address.setFilters} />
      </ListTools>
      {isImpossible && <NoTeams />}
      {!isImpossible && !query.data && <Waiting query={query} rows={12} />}
      {!isImpossible && query.data && (
        <>
          <TeamList
            teams={query.data.users}
            total={query.data.total}
            current={id}
            sort={address.sort}
            onSort={address.setSort}
            selected={selected}
            onSelect={setSelected}
            columns={shown}
            onOpen={open}
          />
          <Pager page={address.page} total={query.data.total} onPage={address.setPage} />
        </>
      )}
      <TeamSheet id={id} onClose={() => show(paths.adminTeams())} />
    </OrganiserPage>
  )
}

function useFields() {
  const text = useMessages(adminTeamsMessages)
  const divisions = useConfig()?.divisions
  return useMemo(() => {
    const choices = (of: Readonly<Record<string, string>>) =>
      Object.entries(of).map(([value, label]) => ({ value, label }))
    return [
      { id: 'status', label: text.status, choices: choices(text.statuses) },
      { id: 'division', label: text.division, choices: choices(divisions ?? {}) },
    ]
  }, [text, divisions])
}
