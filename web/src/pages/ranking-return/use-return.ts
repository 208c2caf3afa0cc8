import { login } from '@pennant/contract/accounts.ts'
import { exchangeExtrankCode, setExtrank } from '@pennant/contract/extrank.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { handoffState } from '../../account/handoff.ts'
import { forgetJourney, purposeOf, type Purpose } from '../../account/ranking-journey.ts'
import { accountWords } from '../../account/words.ts'
import { isGood, send } from '../../api/client.ts'
import { ownTeamQuery } from '../../api/queries.ts'
import { paths, safeNext } from '../../paths.ts'
import { signIn } from '../../state/session.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { words } from './words.ts'

/** Ends the sign-in that was begun in this tab. Why it failed, or null while it goes on. */
export function useReturn() {
  const text = useText(words)
  const account = useText(accountWords)
  const errorText = useErrorText('once')
  const [search] = useSearchParams()
  const code = search.get('code')
  // Read while rendering, forgotten in the effect: a render may happen twice.
  const [purpose] = useState(() => purposeOf(search.get('state')))
  const [failure, setFailure] = useState<string | null>(null)
  const finish = useFinish()
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    if (purpose === null) return setFailure(text.notOurs)
    forgetJourney()
    if (code === null) return setFailure(text.refused)
    const run = async () => {
      try {
        const refusal = await finish(code, purpose)
        if (refusal) setFailure(errorText(refusal))
      } catch {
        setFailure(account.noAnswer)
      }
    }
    void run()
  })
  return { failure, purpose }
}

/** Turns the code into what was wanted, and goes there. Gives back the answer that refused it. */
function useFinish() {
  const text = useText(words)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const toasts = useToasts()
  // The code must not stay behind in the history.
  const replace = true
  return async (extrankCode: string, purpose: Purpose) => {
    const exchanged = await send(exchangeExtrankCode, { body: { extrankCode } })
    if (exchanged.kind !== 'goodExtrankToken') return exchanged
    const { extrankToken, extrankName } = exchanged.data
    if (purpose.kind === 'link') {
      const linked = await send(setExtrank, { body: { extrankToken } })
      if (!isGood(linked)) return linked
      await queries.invalidateQueries({ queryKey: ownTeamQuery.queryKey })
      toasts.show(text.linked, 'ok')
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
