import { Link, useLocation } from 'react-router'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { Panel } from '../../ui/states/panel.tsx'
import { BotPanel } from './bot-panel.tsx'
import { InstancePanel } from './instance-panel.tsx'
import type { Challenge } from './list-rules.ts'
import { liveWords } from './live-words.ts'

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
    return (
      <Panel title={hasInstance ? text.instance : text.bot} level={3}>
        <p>{team?.banned ? text.banned : <Link to={paths.signIn(pathname + search)}>{text.signIn}</Link>}</p>
      </Panel>
    )
  return (
    <>
      {hasInstance && <InstancePanel key={`instance ${challenge.id}`} challenge={challenge} />}
      {hasBot && <BotPanel key={`bot ${challenge.id}`} challenge={challenge} />}
    </>
  )
}
