import { useQueryClient } from '@tanstack/react-query'
import { Fragment, lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { usePagesToAccept } from '../api/pages.ts'
import { useConfig, useMay, useOwnTeam, usePhase } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useTimed } from '../state/clock.ts'
import { useIsOffline, useNextTry } from '../state/connection.ts'
import { dismissRefusal, useSession } from '../state/session.ts'
import { frameMessages } from '../text/en/frame.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import type { Notice } from '../ui/states/strip.tsx'
import { useIsOutdated } from './new-version.ts'

/** The candidates for the notice bar below the header; it shows the most urgent. */
export function useNotices(): Notice[] {
  const all = [
    useBanned(),
    useSignedOut(),
    useOffline(),
    useStale(),
    useOutdated(),
    useUnaccepted(),
    usePublicDemo(),
    usePhaseNotice(),
  ]
  return all.filter((notice) => notice !== null)
}

function useBanned(): Notice | null {
  const text = useMessages(frameMessages)
  return useOwnTeam().team?.banned ? { about: 'banned', text: text.banned } : null
}

function useSignedOut(): Notice | null {
  const text = useMessages(frameMessages)
  const { pathname, search } = useLocation()
  const isDemo = useConfig()?.publicDemo !== undefined
  // The notice of a public demo has its own ways to sign in.
  if (!useSession().wasRefused || isDemo) return null
  const action = (
    <>
      <Link to={paths.signIn(pathname + search)} onClick={dismissRefusal}>
        {text.signInAgain}
      </Link>
      <Button tone="quiet" onClick={dismissRefusal}>
        {text.dismiss}
      </Button>
    </>
  )
  return { about: 'signedOut', text: text.signedOut, action }
}

function useOffline(): Notice | null {
  const text = useMessages(frameMessages)
  const said = [text.offline, useAge(), useNextTryText()]
  const again = useAskAgain()
  return useIsOffline() ? { about: 'offline', text: sentences(said), action: again } : null
}

function useStale(): Notice | null {
  const age = useAge()
  const said = [age, useNextTryText()]
  const again = useAskAgain()
  return age === null ? null : { about: 'stale', text: sentences(said), action: again }
}

function sentences(parts: readonly ReactNode[]): ReactNode {
  return parts.filter(Boolean).map((part, at) => <Fragment key={at}>{part} </Fragment>)
}

/** Since when the shown data is stale because its refresh fails; null if none is. */
function useAge(): string | null {
  const text = useMessages(frameMessages)
  const format = useFormat()
  const cache = useQueryClient().getQueryCache()
  const since = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => {
      const failing = cache
        .getAll()
        .filter((query) => query.isActive() && query.state.data !== undefined)
        .filter(({ state }) => state.fetchFailureCount > 1 || state.status === 'error')
      return failing.length === 0 ? null : Math.min(...failing.map(({ state }) => state.dataUpdatedAt))
    },
  )
  return since === null ? null : text.stale(format.time(since))
}

/** Countdown to the next automatic retry. Screen readers hear the problem, not each second. */
function useNextTryText() {
  const text = useMessages(frameMessages)
  const nextTry = useNextTry()
  const leftS = useTimed(() => Math.ceil((nextTry - Date.now()) / SECOND_MS))
  return leftS > 0 ? <span aria-hidden="true">{text.nextTry(leftS)}</span> : null
}

function useAskAgain() {
  const text = useMessages(frameMessages)
  const queries = useQueryClient()
  const retry = () => void queries.refetchQueries({ type: 'active', stale: true })
  return <Button onClick={retry}>{text.now}</Button>
}

function useOutdated(): Notice | null {
  const text = useMessages(frameMessages)
  if (!useIsOutdated()) return null
  const action = <Button onClick={() => location.reload()}>{text.reload}</Button>
  return { about: 'version', text: text.newVersion, action }
}

const AcceptPagesText = lazy(async () => ({ default: (await import('./accept-pages.tsx')).AcceptPagesText }))
const AcceptPagesButton = lazy(async () => ({
  default: (await import('./accept-pages.tsx')).AcceptPagesButton,
}))

function useUnaccepted(): Notice | null {
  if (usePagesToAccept().length === 0) return null
  return { about: 'rules', text: suspended(<AcceptPagesText />), action: suspended(<AcceptPagesButton />) }
}

const PublicDemoNotice = lazy(async () => ({
  default: (await import('./public-demo.tsx')).PublicDemoNotice,
}))
const PublicDemoEntrance = lazy(async () => ({
  default: (await import('./public-demo.tsx')).PublicDemoEntrance,
}))

function usePublicDemo(): Notice | null {
  const { wasRefused } = useSession()
  if (!useConfig()?.publicDemo) return null
  return {
    // After a reset, pages are stale because the sign-in has ended.
    about: wasRefused ? 'signedOut' : 'demo',
    text: suspended(<PublicDemoNotice />),
    action: suspended(<PublicDemoEntrance />),
  }
}

function suspended(part: ReactNode): ReactNode {
  return <Suspense fallback={null}>{part}</Suspense>
}

/** Pages of the contest. All except the viewer's team's open at the start. */
const CONTEST = /^\/(?:challenges|scores|profile)/

function usePhaseNotice(): Notice | null {
  const text = useMessages(frameMessages)
  const config = useConfig()
  const phase = usePhase()
  const mayChallenges = useMay('challsRead')
  const mayScores = useMay('leaderboardRead')
  const { pathname } = useLocation()
  const about = 'phase'
  if (phase === 'archived') return { about, text: text.isArchive(config?.ctfName ?? '') }
  if (!CONTEST.test(pathname)) return null
  if (phase === 'ended') return { about, text: text.isOver }
  if (pathname === paths.ownTeam()) return null
  const isEarly = phase === 'before' && (pathname.startsWith('/scores') ? mayScores : mayChallenges)
  return isEarly ? { about, text: text.beforeStart } : null
}
