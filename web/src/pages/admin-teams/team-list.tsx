import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { BulkBar, useJob } from '../../layout/organiser-list/bulk.tsx'
import { useWhy } from '../../layout/organiser-list/use-why.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { DataTable, type Column, type Sort } from '../../ui/data/data-table.tsx'
import { TeamName } from '../../ui/data/team-name.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { statusOf, teamsKey, type Team } from './queries.ts'
import styles from './teams.module.css'
import { words } from './words.ts'

/** From so many teams on the number must be typed. */
const TYPED_FROM = 5

interface TeamListProps {
  readonly teams: readonly Team[]
  readonly total: number
  readonly current: string | undefined
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly onOpen: (id: string) => void
}

/** One page of the teams, and what can be done to several at once. */
export function TeamList({ teams, onOpen, ...table }: TeamListProps) {
  const text = useText(words)
  const chosen = teams.filter(({ id }) => table.selected.has(id))
  return (
    <>
      <DataTable
        {...table}
        label={text.table}
        columns={useColumns(onOpen)}
        rows={teams}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        onOpen={({ id }) => onOpen(id)}
        empty={text.none}
      />
      <Bulk chosen={chosen} onClear={() => table.onSelect(new Set())} />
    </>
  )
}

function useColumns(onOpen: (id: string) => void): Column<Team>[] {
  const text = useText(words)
  const format = useFormat()
  const divisions = useConfig()?.divisions
  return [
    {
      id: 'team',
      head: text.name,
      sortable: true,
      cell: ({ id, name, avatarUrl }) => (
        <button type="button" className={styles.open} onClick={() => onOpen(id)}>
          <TeamName name={name} avatarUrl={avatarUrl} />
        </button>
      ),
    },
    { id: 'status', head: text.status, sortable: true, cell: (team) => <Status team={team} /> },
    {
      id: 'division',
      head: text.division,
      sortable: true,
      cell: ({ division }) => <bdi>{divisions?.[division] ?? division}</bdi>,
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
      cell: ({ createdAt }) => <time dateTime={createdAt}>{format.dateTime(Date.parse(createdAt))}</time>,
    },
  ]
}

export function Status({ team }: { readonly team: Pick<Team, 'perms' | 'banned'> }) {
  const text = useText(words)
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
  readonly onClear: () => void
}

function Bulk({ chosen, onClear }: BulkProps) {
  const text = useText(words)
  const why = useWhy()
  const client = useQueryClient()
  const [asked, setAsked] = useState<'ban' | 'unban' | null>(null)
  const job = useJob<Team>(() => void client.invalidateQueries({ queryKey: teamsKey }))
  const start = (banned: boolean) => {
    setAsked(null)
    void job.start({
      title: banned ? text.banning : text.unbanning,
      items: chosen,
      deed: ({ id }) => why(send(updateTeam, { params: { id }, body: { data: { banned } } })),
    })
  }
  const isBan = asked === 'ban'
  const solves = chosen.reduce((sum, { solveCount }) => sum + solveCount, 0)
  const count = chosen.length
  const emails = () => chosen.flatMap(({ email }) => email ?? []).join('\n')
  return (
    <>
      <BulkBar count={count} onClear={onClear}>
        <Button tone="danger" onClick={() => setAsked('ban')}>
          {text.ban}
        </Button>
        <Button onClick={() => setAsked('unban')}>{text.unban}</Button>
        <CopyButton text={emails}>{text.copyEmails}</CopyButton>
      </BulkBar>
      <Confirm
        open={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => start(isBan)}
        title={isBan ? text.banTitle(count) : text.unbanTitle(count)}
        deed={isBan ? text.ban : text.unban}
        {...(count >= TYPED_FROM ? { word: String(count) } : {})}
      >
        <p>{isBan ? text.banMany(count, solves) : text.unbanMany(count, solves)}</p>
      </Confirm>
      {job.dialog}
    </>
  )
}
