import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { ClientConfigV2 } from '@pennant/contract/client-config.ts'
import type { z } from 'zod'
import { RequestFailure } from '../../api/failure.ts'
import { configQuery } from '../../api/queries.ts'
import { useTrouble } from '../../api/use-failure.ts'
import { useIsOver, useOwnTeam, usePhase } from '../../api/use-contest.ts'
import { useQuery } from '@tanstack/react-query'
import { useEventLogo } from '../../layout/logo.tsx'
import { PhaseText } from '../../layout/phase-clock.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { useMedia } from '../../ui/use-media.ts'
import { paths } from '../../paths.ts'
import { useNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { Countdown } from '../../ui/data/countdown.tsx'
import { ErrorState } from '../../ui/states/messages.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './home.module.css'
import { LiveLines } from './live-lines.tsx'
import { words } from './words.ts'

const Markdown = lazy(async () => ({ default: (await import('../../ui/rich/markdown.tsx')).Markdown }))

type Config = z.output<typeof ClientConfigV2>

export function Component() {
  const errorText = useErrorText()
  const query = useQuery(configQuery)
  const { data } = query
  const { failure: error, retry } = useTrouble(query)
  usePageTitle(null)
  const text = useText(words)
  const isWide = useMedia('(min-width: 1440px)')
  const hasLive = usePhase() === 'running' && isWide
  return (
    <div className={styles.frame}>
      <div className={styles.page}>
        {data ? <Event config={data} /> : <h1 className="pn-hidden">{text.title}</h1>}
        {!data && error instanceof RequestFailure && (
          <ErrorState onRetry={retry} kind={error.kind}>
            {errorText(error)}
          </ErrorState>
        )}
        {!data && !error && <Skeleton rows={4} height="3rem" />}
      </div>
      {hasLive && <LiveLines />}
    </div>
  )
}

function Event({ config }: { readonly config: Config }) {
  const text = useText(words)
  const format = useFormat()
  const logo = useEventLogo()
  const { ctfName, meta, homeContent, sponsors, startTime, endTime } = config
  return (
    <>
      <h1 className={styles.name}>
        {logo === undefined ? <bdi>{ctfName}</bdi> : <img className={styles.logo} src={logo} alt={ctfName} />}
      </h1>
      {meta.description !== '' && (
        <p className={styles.lead}>
          <bdi>{meta.description}</bdi>
        </p>
      )}
      <Clock config={config} />
      <p className={styles.when}>
        {text.from(format.dateTime(startTime))} {text.to(format.dateTime(endTime))}
      </p>
      <Actions config={config} />
      {/* Together: what stands below the organisers' text would be moved by it. */}
      <Suspense fallback={<Skeleton rows={6} />}>
        {homeContent !== '' && <Markdown text={homeContent} timer={<PhaseText config={config} />} />}
        {sponsors.length > 0 && <Sponsors sponsors={sponsors} />}
      </Suspense>
    </>
  )
}

function Clock({ config: { startTime, endTime } }: { readonly config: Config }) {
  const text = useText(words)
  const now = useNow()
  if (now >= endTime) return <p className={styles.lead}>{text.over}</p>
  const isBefore = now < startTime
  const label = isBefore ? text.startsIn : text.endsIn
  return (
    <div>
      <p className={styles.when}>{label}</p>
      <Countdown until={isBefore ? startTime : endTime} now={now} label={label} />
    </div>
  )
}

/** What one does now: it depends on the time and on who is there. */
function Actions({ config }: { readonly config: Config }) {
  const text = useText(words)
  const phase = usePhase()
  const { isSignedIn } = useOwnTeam()
  const isOver = useIsOver()
  if (isOver) {
    return (
      <div className={styles.actions}>
        <Link className={styles.primary} to={paths.scores()}>
          {text.standings}
        </Link>
        <Link to={paths.challenges()}>{text.challenges}</Link>
      </div>
    )
  }
  if (isSignedIn) {
    return (
      <div className={styles.actions}>
        <Link className={styles.primary} to={phase === 'running' ? paths.challenges() : paths.ownTeam()}>
          {phase === 'running' ? text.challenges : text.team}
        </Link>
      </div>
    )
  }
  return (
    <div className={styles.actions}>
      {config.registrationsEnabled !== false && (
        <Link className={styles.primary} to={paths.register()}>
          {text.register}
        </Link>
      )}
      <Link to={paths.signIn()}>{text.signIn}</Link>
      {phase === 'running' && <Link to={paths.challenges()}>{text.challenges}</Link>}
    </div>
  )
}

function Sponsors({ sponsors }: { readonly sponsors: Config['sponsors'] }) {
  const text = useText(words)
  return (
    <Section title={text.sponsors}>
      <ul className={styles.sponsors}>
        {sponsors.map(({ name, icon, description, url }) => (
          <li key={name}>
            {icon !== '' && <img src={icon} alt="" height={64} className={styles.icon} />}
            <b>
              <bdi>
                {url !== undefined && /^https?:\/\//i.test(url) ? (
                  <a href={url} rel="noopener noreferrer" target="_blank">
                    {name}
                  </a>
                ) : (
                  name
                )}
              </bdi>
            </b>
            <p>
              <bdi>{description}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
