import { Link, useNavigate, useSearchParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useOwnTeam } from '../../api/use-contest.ts'
import { paths, safeNext } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { rankingReturnMessages } from '../../text/en/ranking-return.ts'
import { useMessages, useErrorText } from '../../text/messages.ts'
import { login } from '@pennant/contract/accounts.ts'
import { exchangeExtrankCode, setExtrank } from '@pennant/contract/extrank.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { handoffState } from '../../account/handoff.ts'
import { forgetJourney, purposeOf, type Purpose } from '../../account/ranking-journey.ts'
import { isGood, send } from '../../api/client.ts'
import { ownTeamQuery } from '../../api/queries.ts'
import { signIn } from '../../state/session.ts'
import { accountMessages } from '../../text/en/account.ts'
import { announce } from '../../ui/announcer.tsx'

/** Return URL for sign-ins on the ranking site. */
export function Component() {
  const text = useMessages(rankingReturnMessages)
  const frame = useMessages(frameMessages)
  const { isSignedIn } = useOwnTeam()
  const { failure, purpose } = useReturn()
  if (failure === null) {
    return (
      <AccountPage title={text.title}>
        <p role="status">{text.working}</p>
      </AccountPage>
    )
  }
  const isLink = purpose?.kind === 'link'
  const next = purpose?.kind === 'signIn' ? (purpose.next ?? undefined) : undefined
  return (
    <AccountPage title={text.failedTitle}>
      <FailureLine>{failure}</FailureLine>
      {isLink ? (
        <Link to={paths.settings()}>{text.toSettings}</Link>
      ) : (
        <Link to={isSignedIn ? paths.ownTeam() : paths.signIn(next)}>
          {isSignedIn ? frame.toProfile : text.toSignIn}
        </Link>
      )}
    </AccountPage>
  )
}

/** Completes the sign-in that was started in this tab. Returns the error, or null while it is pending. */
function useReturn() {
  const text = useMessages(rankingReturnMessages)
  const account = useMessages(accountMessages)
  const errorText = useErrorText('once')
  const [search] = useSearchParams()
  const code = search.get('code')
  // Read during render and deleted in the effect, because React may render twice.
  const [purpose] = useState(() => purposeOf(search.get('state')))
  const [failure, setFailure] = useState<string | null>(null)
  const finish = useFinish()
  const begun = useRef(false)
  const begin = useEffectEvent(() => {
    if (purpose === null) return setFailure(text.invalidReturn)
    forgetJourney()
    if (code === null) return setFailure(text.refused)
    const run = async () => {
      try {
        const refusal = await finish(code, purpose)
        if (refusal) setFailure(errorText(refusal))
      } catch {
        setFailure(account.unconfirmed)
      }
    }
    void run()
  })
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    begin()
  }, [])
  return { failure, purpose }
}

/** Exchanges the code, then continues with the original purpose. Returns the response if it was rejected. */
function useFinish() {
  const text = useMessages(rankingReturnMessages)
  const navigate = useNavigate()
  const queries = useQueryClient()
  // Replace the history entry, so that the code does not stay in the history.
  const replace = true
  return async (extrankCode: string, purpose: Purpose) => {
    const exchanged = await send(exchangeExtrankCode, { body: { extrankCode } })
    if (exchanged.kind !== 'goodExtrankToken') return exchanged
    const { extrankToken, extrankName } = exchanged.data
    if (purpose.kind === 'link') {
      const linked = await send(setExtrank, { body: { extrankToken } })
      if (!isGood(linked)) return linked
      await queries.invalidateQueries({ queryKey: ownTeamQuery.queryKey })
      announce(text.linked)
      return void navigate({ pathname: paths.settings(), hash: '#ranking-site' }, { replace })
    }
    const signed = await send(login, { body: { extrankToken } })
    if (signed.kind === 'badUnknownUser') {
      const state = handoffState({ extrankToken, extrankName })
      return void navigate(paths.register(purpose.next ?? undefined), { replace, state })
    }
    if (signed.kind !== 'goodLogin') return signed
    signIn(signed.data.authToken)
    return void navigate(safeNext(purpose.next), { replace })
  }
}
