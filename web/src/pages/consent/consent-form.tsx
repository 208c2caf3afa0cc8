import { authorizeExternalAuth } from '@pennant/contract/external-auth.ts'
import { useState } from 'react'
import { AccountPage } from '../../account/account-page.tsx'
import { DeedButton } from '../../account/deed-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import styles from '../../account/account.module.css'
import { accountWords } from '../../account/words.ts'
import { send } from '../../api/client.ts'
import { useWait } from '../../state/use-wait.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { deniedAddress } from './denied-address.ts'
import { words } from './words.ts'

interface ConsentFormProps {
  readonly client: { readonly id: string; readonly name: string; readonly redirectUri: string }
  readonly team: { readonly name: string; readonly banned: boolean }
  readonly state: string | null
}

export function ConsentForm({ client, team, state }: ConsentFormProps) {
  const text = useText(words)
  const consent = useConsent({ client, state })
  return (
    <AccountPage title={text.title(client.name)}>
      <p>{text.asks(client.name)}</p>
      <p>
        {text.at} <b dir="ltr">{new URL(client.redirectUri).host}</b> {text.as}{' '}
        <b>
          <bdi>{team.name}</bdi>
        </b>
        .
      </p>
      <p>{text.gets(client.name)}</p>
      <FailureLine>{team.banned ? text.banned : consent.failure}</FailureLine>
      <div className={styles.actions}>
        <DeedButton
          waitS={consent.waitS}
          busy={consent.busy}
          disabledBecause={team.banned ? text.banned : undefined}
          onClick={() => void consent.give()}
        >
          {text.goOn}
        </DeedButton>
        <Button onClick={() => location.assign(deniedAddress(client.redirectUri, state))}>
          {text.cancel}
        </Button>
      </div>
    </AccountPage>
  )
}

function useConsent({ client, state }: Pick<ConsentFormProps, 'client' | 'state'>) {
  const account = useText(accountWords)
  const errorText = useErrorText('once')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const wait = useWait()
  const give = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { clientId: client.id, redirectUri: client.redirectUri, ...(state !== null && { state }) }
      const answer = await send(authorizeExternalAuth, { body })
      if (answer.kind === 'goodExternalAuthAuthorize') return location.assign(answer.data.redirectTo)
      if (!wait.begin(answer)) setFailure(errorText(answer))
    } catch {
      setFailure(account.noAnswer)
    } finally {
      setBusy(false)
    }
  }
  return { give, busy, failure, waitS: wait.leftS }
}
