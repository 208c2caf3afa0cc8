import { lazy, Suspense, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { ClientConfigV2 } from '@pennant/contract/client-config.ts'
import type { z } from 'zod'
import { useOwnTeam } from '../../api/use-contest.ts'
import { CalendarButton } from '../../layout/calendar/calendar-button.tsx'
import { useEventLogo } from '../../layout/logo.tsx'
import { PhaseText } from '../../layout/header/phase-clock.tsx'
import { paths } from '../../paths.ts'
import { useNow } from '../../state/clock.ts'
import { homeMessages } from '../../text/en/home.ts'
import { useMessages } from '../../text/messages.ts'
import { buttonClass } from '../../ui/buttons/button.tsx'
import { Countdown } from '../../ui/data/countdown.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './home.module.css'

const Markdown = lazy(async () => ({ default: (await import('../../ui/rich/markdown.tsx')).Markdown }))

export type Config = z.output<typeof ClientConfigV2>

export interface PhaseProps {
  readonly config: Config
  /** What organisers tell players now. It comes late. */
  readonly news: ReactNode
}

/** The name of the event in large type, or its logo, and what it is. */
export function EventName({ config: { ctfName, meta } }: { readonly config: Config }) {
  const logo = useEventLogo()
  return (
    <>
      <h1 className={styles.name}>
        {logo === undefined ? <bdi>{ctfName}</bdi> : <img className={styles.logo} {...logo} alt={ctfName} />}
      </h1>
      {meta.description !== '' && (
        <p className={styles.lead}>
          <bdi>{meta.description}</bdi>
        </p>
      )}
    </>
  )
}

interface HangingClockProps {
  /** Unix milliseconds of the server's clock. */
  readonly until: number
  readonly label: string
  readonly large?: boolean
}

/** The time left; updates every second without rendering the page. */
export function HangingClock(props: HangingClockProps) {
  return (
    <div className={styles.hanging}>
      <Countdown {...props} now={useNow()} />
    </div>
  )
}

/** The main actions before and during the event. */
export function Actions({ config, isRunning }: { readonly config: Config; readonly isRunning: boolean }) {
  const text = useMessages(homeMessages)
  const { isSignedIn } = useOwnTeam()
  if (isSignedIn) {
    return (
      <div className={styles.actions}>
        <Link
          className={buttonClass('primary', 'large')}
          to={isRunning ? paths.challenges() : paths.ownTeam()}
        >
          {isRunning ? text.challenges : text.toProfile}
        </Link>
        {!isRunning && <CalendarButton config={config} />}
      </div>
    )
  }
  return (
    <div className={styles.actions}>
      {config.registrationsEnabled !== false && (
        <Link className={buttonClass('primary', 'large')} to={paths.register()}>
          {text.register}
        </Link>
      )}
      <Link className={buttonClass('plain', 'large')} to={paths.signIn()}>
        {text.toSignIn}
      </Link>
      {isRunning && <Link to={paths.challenges()}>{text.challenges}</Link>}
      {!isRunning && <CalendarButton config={config} />}
    </div>
  )
}

/** The organisers' text and the sponsors: one boundary, so that loading the text does not shift what follows. */
export function Words({ config }: { readonly config: Config }) {
  const { homeContent, sponsors } = config
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      {homeContent !== '' && (
        <div className="pn-prose">
          <Markdown text={homeContent} timer={<PhaseText config={config} />} />
        </div>
      )}
      {sponsors.length > 0 && <Sponsors sponsors={sponsors} />}
    </Suspense>
  )
}

function Sponsors({ sponsors }: { readonly sponsors: Config['sponsors'] }) {
  const text = useMessages(homeMessages)
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
