import { lazy, Suspense, useRef } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { Facts } from '../../challenge/facts.tsx'
import { Statement } from '../../challenge/statement.tsx'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { useMedia } from '../../ui/use-media.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { Tabs } from '../../ui/layers/tabs.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import styles from './challenges.module.css'
import { FlagArea } from './flag-area.tsx'
import type { Challenge } from '../../challenge/challenge.ts'
import { stepFrom, withTab } from './list-rules.ts'
import { LiveArea } from './live-area.tsx'
import { words } from '../../challenge/words.ts'

// Few challenges have them, or have room for them; the list of solves is wanted by a press.
const Bloods = lazy(async () => ({ default: (await import('./bloods.tsx')).Bloods }))
const BotSource = lazy(async () => ({ default: (await import('./bot-source.tsx')).BotSource }))
const Scores = lazy(async () => ({ default: (await import('./scores.tsx')).Scores }))
const Solves = lazy(async () => ({ default: (await import('./solves.tsx')).Solves }))

interface DetailProps {
  readonly challenge: Challenge
  readonly isSolved: boolean
}

/** One challenge: what it says, its files, who solved it, and where its flag goes. */
export function Detail({ challenge, isSolved }: DetailProps) {
  const text = useText(words)
  const { tabs, shown, show, turn } = useParts(challenge)
  const hasRoom = useMedia('(width >= 1440px)')
  const article = useRef<HTMLElement>(null)
  useShortcuts({
    '[': () => turn(-1),
    ']': () => turn(1),
    // The description's or the instance's, whichever stands first.
    c: () => article.current?.querySelector<HTMLElement>('[data-connection] button')?.click(),
  })
  return (
    <article ref={article} className={styles.detail}>
      <Head challenge={challenge} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <h2 className="pn-hidden">{text.tabs}</h2>
          <Suspense fallback={<Skeleton rows={6} />}>
            <Tabs label={text.tabs} tabs={tabs} value={shown} onChange={show} keep={false} />
          </Suspense>
        </div>
        <aside className={styles.side} aria-label={text.toDo}>
          <FlagArea challenge={challenge} isSolved={isSolved} />
          {hasRoom && challenge.solves > 0 && (
            <Suspense fallback={<Skeleton height="8rem" />}>
              <Bloods id={challenge.id} />
            </Suspense>
          )}
          <LiveArea challenge={challenge} />
        </aside>
      </div>
    </article>
  )
}

/** The tabs that a challenge has; which one is shown stands in the address. */
function useParts(challenge: Challenge) {
  const text = useText(words)
  const { state } = useLocation()
  const [search, setSearch] = useSearchParams()
  const { id, scoringKind, adminBotInputs } = challenge
  const tabs = [
    { id: 'details', label: text.details, content: <Statement {...challenge} /> },
    { id: 'solves', label: text.solvesTab, content: <Solves challenge={challenge} /> },
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

function Head({ challenge }: { readonly challenge: Challenge }) {
  const text = useText(words)
  const format = useFormat()
  const [search] = useSearchParams()
  const { id, solves, scoringKind } = challenge
  return (
    <header className={styles.head}>
      <TitleBar name={challenge.name} />
      <Facts challenge={challenge} level={1}>
        {scoringKind !== 'dynamic' && (
          <Link replace to={{ search: withTab(search, 'solves').toString() }}>
            {text.solves(solves, format.number(solves))}
          </Link>
        )}
        <CopyButton tone="quiet" text={() => new URL(paths.challenge(id), location.href).href}>
          {text.copyLink}
        </CopyButton>
      </Facts>
    </header>
  )
}

/** Where the challenge is a screen of its own: the way back, which is the browser's own if the list was there before. */
function TitleBar({ name }: { readonly name: string }) {
  const text = useText(words)
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
        {text.back}
      </Link>
      <bdi aria-hidden="true">{name}</bdi>
    </div>
  )
}
