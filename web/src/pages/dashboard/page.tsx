import { readOverview } from '@pennant/contract/overview.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ask } from '../../api/client.ts'
import { ownKey } from '../../api/queries.ts'
import { OrganiserPage, Waiting } from '../../layout/organiser-list/organiser-page.tsx'
import { clockDifferenceMs } from '../../state/clock.ts'
import { refresh } from '../../state/live.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Section } from '../../ui/states/panel.tsx'
import styles from './dashboard.module.css'
import { Minutes } from './minutes.tsx'
import { words } from './words.ts'

const EVERY_MS = 5_000
const SECOND_MS = 1000

type Overview = Awaited<ReturnType<typeof ask<typeof readOverview>>>

export function Component() {
  const text = useText(words)
  const query = useQuery({
    queryKey: [ownKey, 'overview'],
    queryFn: ({ signal }) => ask(readOverview, {}, { signal }),
    ...refresh(EVERY_MS),
  })
  return (
    <OrganiserPage title={text.title}>
      {query.data ? <Overview overview={query.data} /> : <Waiting query={query} rows={8} />}
    </OrganiserPage>
  )
}

function Overview({ overview }: { readonly overview: Overview }) {
  const text = useText(words)
  return (
    <>
      <Section title={text.warnings}>
        <Warnings overview={overview} />
      </Section>
      <Section title={text.numbers}>
        <Tiles overview={overview} />
        <Minutes label={text.perMinute} counts={overview.submissionsPerMinute} />
      </Section>
    </>
  )
}

function Warnings({ overview: { now, warnings } }: { readonly overview: Overview }) {
  const text = useText(words)
  const format = useFormat()
  if (warnings.length === 0) return <p>{text.allWell}</p>
  return (
    <ul className={styles.warnings}>
      {warnings.map(({ code, text: said, since }) => (
        <li key={code} className={styles.warning}>
          {said} <span className={styles.small}>{text.since(format.relative(since, now))}</span>
        </li>
      ))}
    </ul>
  )
}

function Tiles({ overview }: { readonly overview: Overview }) {
  const text = useText(words)
  const { number } = useFormat()
  const { instances, adminBot, submissionsPerMinute: minutes } = overview
  const hour = minutes.reduce((sum, count) => sum + count, 0)
  const offMs = Math.abs(clockDifferenceMs())
  const seconds = (ms: number) => text.seconds(number(Math.round(ms / SECOND_MS)))
  return (
    <dl className={styles.tiles}>
      <Tile name={text.submissions} small={text.lastHour(number(hour))}>
        {number(minutes.at(-1) ?? 0)}
      </Tile>
      <Tile name={text.solves}>{number(overview.solves)}</Tile>
      <Tile name={text.activeTeams} small={text.ofTeams(number(overview.teams))}>
        {number(overview.activeTeams15m)}
      </Tile>
      <Tile name={text.verifications}>{number(overview.pendingVerifications)}</Tile>
      {instances ? (
        <Tile
          name={text.instances}
          small={text.instanceStates(number(instances.starting), number(instances.errored))}
        >
          {number(instances.running)}
        </Tile>
      ) : (
        <Tile name={text.instances}>{text.notReported}</Tile>
      )}
      {adminBot && (
        <Tile name={text.bot} small={text.botRunning(number(adminBot.running))}>
          {number(adminBot.queued)}
        </Tile>
      )}
      <Tile name={text.mail}>{number(overview.outboxPending)}</Tile>
      <Tile name={text.standings}>{seconds(overview.standingsAgeMs)}</Tile>
      {offMs >= SECOND_MS && <Tile name={text.clock}>{seconds(offMs)}</Tile>}
    </dl>
  )
}

interface TileProps {
  readonly name: string
  readonly small?: string
  readonly children: ReactNode
}

function Tile({ name, small, children }: TileProps) {
  return (
    <div className={styles.tile}>
      <dt className={styles.small}>{name}</dt>
      <dd className={styles.value}>
        {children}
        {small !== undefined && <span className={styles.small}> {small}</span>}
      </dd>
    </div>
  )
}
