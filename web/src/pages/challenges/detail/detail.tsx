import { lazy, Suspense, useRef } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { Facts } from '../../../challenge/facts.tsx'
import { Statement } from '../../../challenge/statement.tsx'
import { paths } from '../../../paths.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { useShortcuts } from '../../../ui/keys/use-shortcuts.ts'
import { Tabs } from '../../../ui/layers/tabs.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import type { Challenge } from '../../../challenge/challenge.ts'
import { useConfig, useOwnTeam } from '../../../api/use-contest.ts'
import { livePartsMessages } from '../../../text/en/live-parts.ts'
import { Panel } from '../../../ui/states/panel.tsx'
import styles from '../challenges.module.css'
import { FlagArea } from '../flag/flag-area.tsx'
import { stepFrom, withTab } from '../list/rules.ts'
import { useMessageThreads } from '../../../api/messages.ts'

// Lazy: few challenges have these or have room for them, and the list of solves is opened by a click.
const Bloods = lazy(async () => ({ default: (await import('../solves/bloods.tsx')).Bloods }))
const BotSource = lazy(async () => ({ default: (await import('../bot/bot-source.tsx')).BotSource }))
const Hints = lazy(async () => ({ default: (await import('../hints/hints.tsx')).Hints }))
const Locked = lazy(async () => ({ default: (await import('./locked.tsx')).Locked }))
const Scores = lazy(async () => ({ default: (await import('../solves/scores.tsx')).Scores }))
const Solves = lazy(async () => ({ default: (await import('../solves/solves.tsx')).Solves }))

interface DetailProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
  /** The open challenge to go on with after this one. */
  readonly next: Challenge | null
}

/** One challenge: description, files, solves and the flag form. */
export function Detail({ challenge, isSolved, next }: DetailProps) {
  const text = useMessages(challengesMessages)
  const { tabs, shown, show, turn } = useParts(challenge)
  const hasRoom = useMedia('(width >= 1440px)')
  const article = useRef<HTMLElement>(null)
  useShortcuts({
    '[': () => turn(-1),
    ']': () => turn(1),
    // The first connection block, in the description or for the instance.
    c: () => article.current?.querySelector<HTMLElement>('[data-connection] button')?.click(),
  })
  return (
    <article ref={article} className={styles.detail}>
      <Head challenge={challenge} />
      {challenge.locked ? (
        <Suspense fallback={<Skeleton rows={3} />}>
          <Locked challenge={challenge} />
        </Suspense>
      ) : (
        <div className={styles.columns}>
          <div className={styles.main}>
            <h2 className="pn-hidden">{text.tabs}</h2>
            <Suspense fallback={<Skeleton rows={6} />}>
              <Tabs label={text.tabs} tabs={tabs} value={shown} onChange={show} keep={false} />
            </Suspense>
            <div className={styles.flag}>
              <FlagArea {...{ challenge, isSolved, next }} />
            </div>
            {shown === 'details' && <HintsArea {...{ challenge, isSolved }} />}
          </div>
          <aside className={styles.side} aria-label={text.actions}>
            {hasRoom && challenge.solves > 0 && (
              <Suspense fallback={<Skeleton height="8rem" />}>
                <Bloods id={challenge.id} />
              </Suspense>
            )}
            <LiveArea challenge={challenge} />
          </aside>
        </div>
      )}
    </article>
  )
}

/** The tabs of a challenge; the URL says which one is shown. */
function useParts(challenge: Challenge) {
  const text = useMessages(challengesMessages)
  const { state } = useLocation()
  const [search, setSearch] = useSearchParams()
  const { id, scoringKind, adminBotInputs } = challenge
  const tabs = [
    { id: 'details', label: text.details, content: <Statement {...challenge} /> },
    { id: 'solves', label: text.solves, content: <Solves challenge={challenge} /> },
    ...(scoringKind === 'dynamic'
      ? [{ id: 'scores', label: text.scoresTab, content: <Scores id={id} /> }]
      : []),
    ...(adminBotInputs === null
      ? []
      : [{ id: 'source', label: text.botSource, content: <BotSource id={id} /> }]),
  ]
  const ids = tabs.map((tab) => tab.id)
  const shown = ids.find((tab) => tab === search.get('tab')) ?? 'details'
  const show = (tab: string) => {
    setSearch((now) => withTab(now, tab), { replace: true, preventScrollReset: true, state })
  }
  const turn = (by: number) => show(stepFrom(ids, shown, by) ?? shown)
  return { tabs, shown, show, turn }
}

function HintsArea({ challenge, isSolved }: Pick<DetailProps, 'challenge' | 'isSolved'>) {
  const { team } = useOwnTeam()
  // A team keeps what it has bought, also when no hint is released any more.
  const hasHints = (challenge.hints ?? 0) > 0 || team?.hintChallenges?.includes(challenge.id)
  return (
    hasHints && (
      <Suspense fallback={<Skeleton rows={2} />}>
        <Hints key={challenge.id} id={challenge.id} isSolved={isSolved} />
      </Suspense>
    )
  )
}

function Head({ challenge }: { readonly challenge: Challenge }) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const [search] = useSearchParams()
  const { id, solves, scoringKind } = challenge
  return (
    <header className={styles.head}>
      <TitleBar name={challenge.name} />
      <Facts challenge={challenge} level={1}>
        {scoringKind !== 'dynamic' && (
          <Link replace to={{ search: withTab(search, 'solves').toString() }}>
            {text.solvesCount(solves, format.number(solves))}
          </Link>
        )}
        {!challenge.locked && <AskLink id={id} />}
        <CopyButton
          tone="quiet"
          className={styles.copy}
          text={() => new URL(paths.challenge(id), location.href).href}
        >
          {text.copyLink}
        </CopyButton>
      </Facts>
    </header>
  )
}

/** On narrow screens: back to the list, with the browser history if the list was the previous page. */
function TitleBar({ name }: { readonly name: string }) {
  const text = useMessages(challengesMessages)
  const navigate = useNavigate()
  const { state, search } = useLocation()
  const isFromList = (state as { fromList?: boolean } | null)?.fromList === true
  return (
    <div className={styles.titleBar}>
      <Link
        to={{
          pathname: paths.challenges(),
          search: withTab(new URLSearchParams(search), 'details').toString(),
        }}
        onClick={(event) => {
          if (!isFromList) return
          event.preventDefault()
          void navigate(-1)
        }}
      >
        {text.allChallenges}
      </Link>
      <bdi aria-hidden="true">{name}</bdi>
    </div>
  )
}

const InstancePanel = lazy(async () => ({
  default: (await import('../../../challenge/instance-panel.tsx')).InstancePanel,
}))
const BotPanel = lazy(async () => ({ default: (await import('../bot/bot-panel.tsx')).BotPanel }))

/** Instance and admin bot of a challenge, for teams that can use them. */
function LiveArea({ challenge }: { readonly challenge: Challenge }) {
  const text = useMessages(livePartsMessages)
  const { pathname, search } = useLocation()
  const config = useConfig()
  const { isSignedIn, team } = useOwnTeam()
  const hasInstance = challenge.instancerLifetime !== null
  const hasBot = challenge.adminBotInputs !== null
  if ((!hasInstance && !hasBot) || config?.isArchived) return null
  if (!isSignedIn || team?.banned)
    return [hasInstance && text.instance, hasBot && text.bot].map(
      (title) =>
        title !== false && (
          <Panel key={title} title={title} level={3}>
            {team?.banned ? text.banned : <Link to={paths.signIn(pathname + search)}>{text.signIn}</Link>}
          </Panel>
        ),
    )
  return (
    <Suspense fallback={<Skeleton rows={3} />}>
      {hasInstance && <InstancePanel key={`instance ${challenge.id}`} challenge={challenge} />}
      {hasBot && <BotPanel key={`bot ${challenge.id}`} challenge={challenge} />}
    </Suspense>
  )
}

/** Leads to a question about the challenge, while teams may ask. Until that is known, its room stays empty. */
function AskLink({ id }: { readonly id: string }) {
  const text = useMessages(challengesMessages)
  const { data, isLoading } = useMessageThreads()
  if (isLoading) return <span className={styles.expected}>{text.askAbout}</span>
  return data?.state === 'open' && <Link to={paths.askAbout(id)}>{text.askAbout}</Link>
}
