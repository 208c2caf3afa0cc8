import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'
import { useConfig, useMay, useOwnTeam, usePhase } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useIsOffline } from '../state/connection.ts'
import { dismissRefusal, useSession } from '../state/session.ts'
import { useText } from '../text/catalogue.ts'
import { useFormat } from '../text/format.ts'
import { frameCatalogue } from '../text/frame.ts'
import { Button } from '../ui/buttons/button.tsx'
import type { Notice } from '../ui/states/strip.tsx'
import { useIsOutdated } from './new-version.ts'

/** What the strip under the header may say; it shows the most pressing. */
export function useNotices(): Notice[] {
  const all = [useBanned(), useSignedOut(), useOffline(), useStale(), useOutdated(), usePhaseNotice()]
  return all.filter((notice) => notice !== null)
}

function useBanned(): Notice | null {
  const text = useText(frameCatalogue)
  return useOwnTeam().team?.banned ? { about: 'banned', text: text.banned } : null
}

function useSignedOut(): Notice | null {
  const text = useText(frameCatalogue)
  const { pathname, search } = useLocation()
  if (!useSession().wasRefused) return null
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
  const text = useText(frameCatalogue)
  const again = useAskAgain()
  return useIsOffline() ? { about: 'offline', text: text.offline, action: again } : null
}

/** Shown data whose refresh fails: its age is said. */
function useStale(): Notice | null {
  const text = useText(frameCatalogue)
  const format = useFormat()
  const again = useAskAgain()
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
  return since === null ? null : { about: 'stale', text: text.stale(format.time(since)), action: again }
}

function useAskAgain() {
  const text = useText(frameCatalogue)
  const queries = useQueryClient()
  const retry = () => void queries.refetchQueries({ type: 'active', stale: true })
  return <Button onClick={retry}>{text.now}</Button>
}

function useOutdated(): Notice | null {
  const text = useText(frameCatalogue)
  if (!useIsOutdated()) return null
  const action = <Button onClick={() => location.reload()}>{text.reload}</Button>
  return { about: 'version', text: text.newVersion, action }
}

/** Pages that open with the start. */
const GATED = /^\/(?:challenges|scores|profile\/.)/

function usePhaseNotice(): Notice | null {
  const text = useText(frameCatalogue)
  const config = useConfig()
  const phase = usePhase()
  const mayChallenges = useMay('challsRead')
  const mayScores = useMay('leaderboardRead')
  const { pathname } = useLocation()
  const about = 'phase'
  if (phase === 'archived') return { about, text: text.isArchive(config?.ctfName ?? '') }
  if (!GATED.test(pathname)) return null
  if (phase === 'ended') return { about, text: text.isOver }
  const isEarly = phase === 'before' && (pathname.startsWith('/scores') ? mayScores : mayChallenges)
  return isEarly ? { about, text: text.early } : null
}
