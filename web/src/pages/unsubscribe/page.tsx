import { unsubscribe } from '@pennant/contract/mailings.ts'
import { useState } from 'react'
import { AccountPage } from '../../account/account-page.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useLinkedToken } from '../../account/linked-token.ts'
import { send } from '../../api/client.ts'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { unsubscribeMessages } from '../../text/en/unsubscribe.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'

/** Asks first, because mail scanners open links too. */
export function Component() {
  const text = useMessages(unsubscribeMessages)
  const why = useFailureMessage()
  const token = useLinkedToken()
  const [state, setState] = useState<'asked' | 'busy' | 'done'>('asked')
  const [failure, setFailure] = useState<string>()
  const run = async () => {
    setState('busy')
    const reason = await why(send(unsubscribe, { query: { token: token ?? '' } }))
    setFailure(reason ?? undefined)
    setState(reason === null ? 'done' : 'asked')
  }
  return (
    <AccountPage title={text.title}>
      {token === null && <EmptyState action={null}>{text.bad}</EmptyState>}
      {token !== null && state === 'done' && <p role="status">{text.done}</p>}
      {token !== null && state !== 'done' && (
        <>
          <p>{text.about}</p>
          <FailureLine>{failure}</FailureLine>
          <Button tone="primary" busy={state === 'busy'} onClick={() => void run()}>
            {text.unsubscribe}
          </Button>
        </>
      )}
    </AccountPage>
  )
}
