import { lazy, Suspense } from 'react'
import { Link, useLocation } from 'react-router'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import type { Challenge } from '../../challenge/challenge.ts'
import { liveWords } from '../../challenge/live-words.ts'

const InstancePanel = lazy(async () => ({
  default: (await import('../../challenge/instance-panel.tsx')).InstancePanel,
}))
const BotPanel = lazy(async () => ({ default: (await import('./bot-panel.tsx')).BotPanel }))

/** The instance and the bot of a challenge that has them, for teams that may use them. */
export function LiveArea({ challenge }: { readonly challenge: Challenge }) {
  const text = useText(liveWords)
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
