import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { adminExportMessages } from '../../text/en/admin-export.ts'
import { useMessages, useErrorText, useFormat } from '../../text/messages.ts'
import { BoardPart } from './board-part.tsx'
import { getExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { FailureLine } from '../../account/failure-line.tsx'
import { requestData } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useConfig, useIsOver } from '../../api/use-contest.ts'
import { serverNow } from '../../state/clock.ts'
import { refresh } from '../../state/live.ts'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable } from '../../ui/data/data-table.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './export.module.css'
import { fileName } from './file-name.ts'
import { EmptyState } from '../../ui/states/messages.tsx'

export function Component() {
  const text = useMessages(adminExportMessages)
  return (
    <OrganiserPage title={text.title}>
      <div className="pn-stack pn-gap-4 pn-prose">
        <StandingsPart />
        <BoardPart />
      </div>
    </OrganiserPage>
  )
}

const PREVIEW_ROWS = 10

const standingsQuery = queryOptions({
  queryKey: [OWN_KEY, 'standings-export'],
  queryFn: ({ signal }) => requestData(getExtrankLeaderboard, {}, { signal }),
  ...refresh(null),
})

/** Exports the standings for the ranking site. Before the end it is provisional and asks twice. */
function StandingsPart() {
  const text = useMessages(adminExportMessages)
  const format = useFormat()
  const config = useConfig()
  const query = useQuery(standingsQuery)
  const standings = query.data?.standings
  const isFinal = useIsOver()
  const saving = useSaving({ event: config?.ctfName ?? '', isFinal })
  return (
    <Panel title={text.standings}>
      <div className={styles.part}>
        <p>{text.about}</p>
        {!standings && <Waiting query={query} rows={PREVIEW_ROWS} />}
        {standings && <Preview standings={standings} />}
        {config && (
          <p className={styles.state} data-final={isFinal || undefined}>
            <Icon name={isFinal ? 'check' : 'alert'} />
            {isFinal ? text.final : text.provisional(format.dateTime(config.endTime))}
          </p>
        )}
        <div className="pn-wrap pn-gap-3">
          {isFinal ? (
            <Button tone="primary" icon="download" busy={saving.isPending} onClick={saving.save}>
              {text.save}
            </Button>
          ) : (
            <ConfirmButton icon="download" tone="plain" busy={saving.isPending} onConfirm={saving.save}>
              {text.saveProvisional}
            </ConfirmButton>
          )}
        </div>
        <div role="status">{saving.savedName && text.saved(saving.savedName)}</div>
        <FailureLine>{saving.failure}</FailureLine>
      </div>
    </Panel>
  )
}

interface PreviewProps {
  readonly standings: readonly { readonly pos: number; readonly team: string; readonly score: number }[]
}

function Preview({ standings }: PreviewProps) {
  const text = useMessages(adminExportMessages)
  const frame = useMessages(frameMessages)
  const format = useFormat()
  const rows = standings.slice(0, PREVIEW_ROWS)
  return (
    <>
      {rows.length > 0 && (
        <p>
          {standings.length > rows.length
            ? text.first(format.number(rows.length), format.number(standings.length))
            : text.count(standings.length)}
        </p>
      )}
      <DataTable
        label={text.table}
        rows={rows}
        rowId={({ pos }) => String(pos)}
        empty={
          <EmptyState action={<Link to={paths.scores()}>{frame.scoreboard}</Link>}>
            {text.noScores}
          </EmptyState>
        }
        columns={[
          { id: 'pos', head: text.place, align: 'end', cell: ({ pos }) => format.number(pos) },
          { id: 'team', head: text.team, cell: ({ team }) => <bdi>{team}</bdi> },
          { id: 'score', head: text.score, align: 'end', cell: ({ score }) => format.number(score) },
        ]}
      />
    </>
  )
}

interface SavingOptions {
  readonly event: string
  readonly isFinal: boolean
}

/** Saves the current standings, not those in the preview. */
function useSaving({ event, isFinal }: SavingOptions) {
  const errorText = useErrorText('once')
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: async () => {
      const standings = await queries.fetchQuery({ ...standingsQuery, staleTime: 0 })
      const name = fileName({ event, what: 'standings', isFinal, at: serverNow(), ending: 'json' })
      saveFile({ name, content: JSON.stringify(standings), type: 'application/json' })
      return name
    },
  })
  const failure = saving.error instanceof RequestFailure ? errorText(saving.error) : undefined
  return { save: () => saving.mutate(), isPending: saving.isPending, savedName: saving.data, failure }
}
