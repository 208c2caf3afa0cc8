import { login } from '@pennant/contract/accounts.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { send } from '../api/client.ts'
import { configQuery } from '../api/queries.ts'
import { useOwnTeam } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useTimed } from '../state/clock.ts'
import { signIn, useSession } from '../state/session.ts'
import { publicDemoMessages } from '../text/en/public-demo.ts'
import { useFormat, useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'

/** Until the demo has started over. */
const CHECK_MS = 10 * SECOND_MS

/** When the public demo starts over. */
export function PublicDemoNotice() {
  const text = useMessages(publicDemoMessages)
  const format = useFormat()
  const { data: config } = useQuery(configQuery)
  const resetAt = config?.publicDemo?.resetAt ?? 0
  const isOver = useTimed((now) => now >= resetAt)
  useQuery({ ...configQuery, refetchInterval: isOver && CHECK_MS })
  return isOver ? text.resetting : text.about(format.dateTime(resetAt))
}

/** Signs in with one click, as the roles that the viewer does not have. */
export function PublicDemoEntrance() {
  const text = useMessages(publicDemoMessages)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { team } = useOwnTeam()
  const { wasRefused } = useSession()
  const [state, setState] = useState<'busy' | 'failed'>()
  const own = wasRefused ? undefined : team

  const enter = (role: 'player' | 'organiser') => async () => {
    setState('busy')
    try {
      // The tokens of before a reset are invalid.
      const { publicDemo } = await queries.fetchQuery({ ...configQuery, staleTime: 0 })
      const players = publicDemo?.playerTokens ?? []
      const player = players[Math.floor(Math.random() * players.length)]
      const teamToken = role === 'player' ? player : publicDemo?.organiserToken
      const response = await send(login, { body: { teamToken } })
      if (response.kind !== 'goodLogin') return setState('failed')
      signIn(response.data.authToken)
      setState(undefined)
      void navigate(role === 'player' ? paths.challenges() : paths.dashboard())
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      {(own === undefined || own.perms > 0) && (
        <Button busy={state === 'busy'} onClick={() => void enter('player')()}>
          {text.player}
        </Button>
      )}
      {(own === undefined || own.perms === 0) && (
        <Button busy={state === 'busy'} onClick={() => void enter('organiser')()}>
          {text.organiser}
        </Button>
      )}
      {state === 'failed' && <span role="alert">{text.failed}</span>}
    </>
  )
}
