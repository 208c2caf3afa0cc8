import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { Link, useNavigate } from 'react-router'
import { divisionName, useConfig } from '../../api/use-contest.ts'
import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { EmptyList } from '../../organisers/empty-list.tsx'
import { BulkBar, useJob } from '../../organisers/bulk.tsx'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { paths } from '../../paths.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { DataTable, type Column, type Sort } from '../../ui/data/data-table.tsx'
import { TeamName } from '../../ui/data/team-name.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { statusOf, teamsKey, type Team } from './queries.ts'
import styles from './teams.module.css'

/** From this many teams on, the number must be typed to confirm. */
const TYPED_FROM = 5

/** Selected teams by id, across pages of the list. */
export type Selection = ReadonlyMap<string, Team>

interface TeamListProps {
  readonly teams: readonly Team[]
  readonly columns: readonly Column<Team>[]
  readonly total: number
  readonly current: string | undefined
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly selected: Selection
  readonly onSelect: (change: (selected: Selection) => Selection) => void
  readonly onOpen: (id: string) => void
}

/** One page of the team list, with bulk actions. */
export function TeamList({ teams, onOpen, selected, onSelect, ...table }: TeamListProps) {
  const text = useMessages(adminTeamsMessages)
  // Use current data where it is loaded.
  const now = new Map(teams.map((team) => [team.id, team]))
  const chosen = [...selected.values()].map((team) => now.get(team.id) ?? team)
  const select = (ids: ReadonlySet<string>) =>
    onSelect((old) => new Map([...ids].flatMap((id) => pairOf(now.get(id) ?? old.get(id)))))
  return (
    <>
      <DataTable
        cards
        {...table}
        selected={new Set(selected.keys())}
        onSelect={select}
        label={text.teams}
        rows={teams}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        onOpen={({ id }) => onOpen(id)}
        empty={<NoTeams />}
      />
      <Bulk
        chosen={chosen}
        elsewhere={chosen.filter(({ id }) => !now.has(id)).length}
        onDone={(done) => onSelect((old) => new Map([...old].filter(([id]) => id !== done)))}
        onClear={() => onSelect(() => new Map())}
      />
    </>
  )
}

export function NoTeams() {
  const text = useMessages(adminTeamsMessages)
  const { organiser } = useMessages(frameMessages)
  return (
    <EmptyList action={<Link to={paths.verifications()}>{organiser.verifications}</Link>}>
      {text.none}
    </EmptyList>
  )
}

function pairOf(team: Team | undefined): [string, Team][] {
  return team ? [[team.id, team]] : []
}

export function useTeamColumns(onOpen: (id: string) => void): Column<Team>[] {
  const text = useMessages(adminTeamsMessages)
  const format = useFormat()
  const divisions = useConfig()?.divisions
  return [
    {
      id: 'team',
      head: text.team,
      sortable: true,
      cell: ({ id, name, avatarUrl }) => (
        <button type="button" className={styles.open} onClick={() => onOpen(id)}>
          <TeamName name={name} teamId={id} avatarUrl={avatarUrl} />
        </button>
      ),
    },
    { id: 'status', head: text.status, sortable: true, cell: (team) => <Status team={team} /> },
    {
      id: 'division',
      head: text.division,
      sortable: true,
      spare: true,
      cell: ({ division }) => <bdi>{divisionName(divisions, division)}</bdi>,
    },
    {
      id: 'email',
      head: text.email,
      sortable: true,
      cell: ({ email }) => <span dir="ltr">{email ?? text.noEmail}</span>,
    },
    {
      id: 'score',
      head: text.score,
      align: 'end',
      sortable: true,
      cell: ({ score }) => format.number(score),
    },
    {
      id: 'solves',
      head: text.solves,
      align: 'end',
      sortable: true,
      cell: ({ solveCount }) => format.number(solveCount),
    },
    {
      id: 'createdAt',
      head: text.registered,
      sortable: true,
      spare: true,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{format.dateTime(parseTimestamp(createdAt))}</time>,
    },
  ]
}

export function Status({ team }: { readonly team: Pick<Team, 'perms' | 'banned'> }) {
  const text = useMessages(adminTeamsMessages)
  const status = statusOf(team)
  return (
    <span className={styles.status} data-status={status}>
      {status === 'admin' && <Icon name="lock" />}
      {status === 'banned' && <Icon name="alert" />}
      {text.statuses[status]}
    </span>
  )
}

interface BulkProps {
  readonly chosen: readonly Team[]
  /** How many selected teams are not on this page. */
  readonly elsewhere: number
  readonly onDone: (id: string) => void
  readonly onClear: () => void
}

function Bulk({ chosen, elsewhere, onDone, onClear }: BulkProps) {
  const text = useMessages(adminTeamsMessages)
  const why = useFailureMessage()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'ban' | 'unban' | null>(null)
  const job = useJob<Team>(() => void client.invalidateQueries({ queryKey: teamsKey }))
  const start = (banned: boolean) => {
    setAsked(null)
    void job.start({
      title: banned ? text.banning : text.unbanning,
      items: chosen,
      run: async ({ id }) => {
        const reason = await why(send(updateTeam, { params: { id }, body: { data: { banned } } }))
        if (reason === null) onDone(id)
        return reason
      },
    })
  }
  const isBan = asked === 'ban'
  const solves = chosen.reduce((sum, { solveCount }) => sum + solveCount, 0)
  const count = chosen.length
  const emails = () => chosen.flatMap(({ email }) => email ?? []).join('\n')
  return (
    <>
      <BulkBar count={count} onClear={onClear}>
        {elsewhere > 0 && <span>{text.onOtherPages(elsewhere)}</span>}
        <Button tone="danger" onClick={() => setAsked('ban')}>
          {text.ban}
        </Button>
        <Button onClick={() => setAsked('unban')}>{text.unban}</Button>
        <Button
          onClick={() => void navigate(paths.adminMail(), { state: { teams: chosen.map(({ id }) => id) } })}
        >
          {text.writeMail}
        </Button>
        <CopyButton text={emails}>{text.copyEmails}</CopyButton>
      </BulkBar>
      <Confirm
        open={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => start(isBan)}
        title={isBan ? text.banTitle(count) : text.unbanTitle(count)}
        action={isBan ? text.ban : text.unban}
        {...(count >= TYPED_FROM ? { word: String(count) } : {})}
      >
        <p>{isBan ? text.banMany(count, solves) : text.unbanMany(count, solves)}</p>
        {elsewhere > 0 && <p>{text.onOtherPages(elsewhere)}</p>}
      </Confirm>
      {job.dialog}
    </>
  )
}
