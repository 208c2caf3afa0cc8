import { authorizeExternalAuth } from '@pennant/contract/external-auth.ts'
import { AccountPage } from '../../account/account-page.tsx'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import styles from '../../account/account.module.css'
import { send } from '../../api/client.ts'
import { consentMessages } from '../../text/en/consent.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { deniedAddress } from './denied-address.ts'

interface ConsentFormProps {
  readonly client: { readonly id: string; readonly name: string; readonly redirectUri: string }
  readonly team: { readonly name: string; readonly banned: boolean }
  readonly state: string | null
}

export function ConsentForm({ client, team, state }: ConsentFormProps) {
  const text = useMessages(consentMessages)
  const action = useAction('once')
  const authorize = async () => {
    const body = { clientId: client.id, redirectUri: client.redirectUri, ...(state !== null && { state }) }
    const response = await action.run(() => send(authorizeExternalAuth, { body }))
    if (response) location.assign(response.data.redirectTo)
  }
  return (
    <AccountPage title={text.title(client.name)}>
      <p>{text.request(client.name)}</p>
      <p>
        {text.at} <b dir="ltr">{new URL(client.redirectUri).host}</b> {text.as}{' '}
        <b>
          <bdi>{team.name}</bdi>
        </b>
        .
      </p>
      <p>{text.grants(client.name)}</p>
      <FailureLine>{team.banned ? text.banned : action.failure}</FailureLine>
      <div className={styles.actions}>
        <ActionButton
          waitS={action.waitS}
          busy={action.isPending}
          disabledBecause={team.banned ? text.banned : undefined}
          onClick={() => void authorize()}
        >
          {text.proceed}
        </ActionButton>
        <Button onClick={() => location.assign(deniedAddress(client.redirectUri, state))}>
          {text.cancel}
        </Button>
      </div>
    </AccountPage>
  )
}
