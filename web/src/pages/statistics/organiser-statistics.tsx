import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { OrganiserPage, Waiting } from '../../organisers/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { useFormat, useMessages, useErrorText } from '../../text/messages.ts'
import { eventStatisticsQuery, WRONG_FLAGS_PAGE, wrongFlagsQuery, type WrongFlagRow } from './queries.ts'
import { ReportView } from './report.tsx'
import styles from './statistics.module.css'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { FailureLine } from '../../account/failure-line.tsx'
import { requestData } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { configQuery } from '../../api/queries.ts'
import { useConfig, useIsOver, useMay } from '../../api/use-contest.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { useState } from 'react'
import { Link } from 'react-router'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import plots from '../../ui/drawn/drawn.module.css'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { CsvButton } from './csv-button.tsx'

/** For organisers, at any time. */
export function OrganiserStatistics() {
  const text = useMessages(statisticsMessages)
  const { dateTime } = useFormat()
  const query = useQuery(eventStatisticsQuery)
  const { data } = query
  return (
    <OrganiserPage
      title={text.title}
      aside={
        data && <span className={styles.asOf}>{text.asOf(dateTime(data.from), dateTime(data.until))}</span>
      }
    >
      <Publication />
      {data ? (
        <ReportView report={data} linkOf={paths.adminChallenge} isOrganiser>
          <WrongFlags />
        </ReportView>
      ) : (
        <Waiting query={query} rows={16} />
      )}
    </OrganiserPage>
  )
}

/** Who sees the figures, and the switch for it. */
function Publication() {
  const text = useMessages(statisticsMessages)
  const errorText = useErrorText('change')
  const queries = useQueryClient()
  const config = useConfig()
  const isOver = useIsOver()
  const may = useMay('settingsWrite')
  const isPublic = config?.statistics === true
  const isShown = isOver && config?.freezeTime === undefined
  const saving = useMutation({
    mutationFn: () => requestData(updateSettings, { body: { data: { statisticsPublic: !isPublic } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: configQuery.queryKey }),
  })
  return (
    <p className={styles.publication}>
      <span>{isPublic ? (isShown ? text.isPublic : text.willBePublic) : text.isPrivate}</span>
      {may && config && (
        <Button busy={saving.isPending} onClick={() => saving.mutate()}>
          {isPublic ? text.unpublish : text.publish}
        </Button>
      )}
      <FailureLine>
        {saving.error instanceof RequestFailure ? errorText(saving.error) : undefined}
      </FailureLine>
    </p>
  )
}

/** The most common wrong flag of each challenge, or those of one. */
function WrongFlags() {
  const text = useMessages(statisticsMessages)
  const [challenge, setChallenge] = useState({ id: '', name: '' })
  const [offset, setOffset] = useState(0)
  const query = useQuery(wrongFlagsQuery(challenge.id, offset))
  const show = (next: typeof challenge) => {
    setChallenge(next)
    setOffset(0)
  }
  const { data } = query
  const title = challenge.id === '' ? text.wrongFlags : text.wrongFlagsOf(challenge.name)
  return (
    <Panel
      title={title}
      actions={<CsvButton table="wrong-flags" title={text.wrongFlags} isOrganiser />}
      className={plots.panel}
    >
      <p className="pn-flat pn-muted pn-small">{text.wrongFlagsAbout}</p>
      {challenge.id !== '' && (
        <p className={styles.back}>
          <Button icon="chevronUp" onClick={() => show({ id: '', name: '' })}>
            {text.allChallenges}
          </Button>
          <Link to={paths.submissionsOf(challenge.id)}>{text.submissions}</Link>
        </p>
      )}
      {!data && <Waiting query={query} rows={5} />}
      {data?.total === 0 && <EmptyState isPart>{text.noWrongFlags}</EmptyState>}
      {data !== undefined && data.total > 0 && (
        <div className={styles.scroller} tabIndex={0} role="group" aria-label={title}>
          <table className={plots.balance}>
            <thead>
              <tr>
                <th scope="col">{text.challenge}</th>
                <th scope="col">{text.wrongFlag}</th>
                <th scope="col">{text.teams}</th>
                <th scope="col">{text.submissions}</th>
              </tr>
            </thead>
            <tbody>
              {data.flags.map((row, at) => (
                <FlagRow
                  key={`${row.challengeId} ${at}`}
                  row={row}
                  onOpen={challenge.id === '' ? show : undefined}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pages total={data?.total ?? 0} offset={offset} onOffset={setOffset} />
    </Panel>
  )
}

interface FlagRowProps {
  readonly row: WrongFlagRow
  /** Shows the flags of the challenge; undefined where they are shown. */
  readonly onOpen: ((challenge: { readonly id: string; readonly name: string }) => void) | undefined
}

function FlagRow({ row, onOpen }: FlagRowProps) {
  const text = useMessages(statisticsMessages)
  const { number } = useFormat()
  const { challengeId: id, challengeName: name, challengeCategory, flag, teams, submissions } = row
  return (
    <tr>
      <th scope="row">
        <span className={styles.named}>
          <CategoryMark name={challengeCategory} form="icon" />
          {onOpen ? (
            <Button tone="quiet" onClick={() => onOpen({ id, name })}>
              <bdi>{name}</bdi>
            </Button>
          ) : (
            <Link to={paths.adminChallenge(id)}>
              <bdi>{name}</bdi>
            </Link>
          )}
        </span>
      </th>
      <td className={styles.flag}>
        {flag === null ? <i>{text.hiddenFlag}</i> : <code dir="ltr">{flag}</code>}
      </td>
      <td className={styles.figure}>{number(teams)}</td>
      <td className={styles.figure}>{number(submissions)}</td>
    </tr>
  )
}

interface PagesProps {
  readonly total: number
  readonly offset: number
  readonly onOffset: (offset: number) => void
}

function Pages({ total, offset, onOffset }: PagesProps) {
  const text = useMessages(statisticsMessages)
  const { number } = useFormat()
  if (total <= WRONG_FLAGS_PAGE) return null
  const end = Math.min(total, offset + WRONG_FLAGS_PAGE)
  return (
    <p className={styles.back}>
      {offset > 0 && <Button onClick={() => onOffset(offset - WRONG_FLAGS_PAGE)}>{text.previous}</Button>}
      {end < total && <Button onClick={() => onOffset(end)}>{text.next}</Button>}
      <span className="pn-flat pn-muted pn-small" role="status">
        {text.page(number(offset + 1), number(end), number(total))}
      </span>
    </p>
  )
}
