import { signOutEverywhere } from '@pennant/contract/teams.ts'
import { Invitation } from '../../account/invitation.tsx'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { renewToken } from '../../state/session.ts'
import { accountMessages } from '../../text/en/account.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Secret } from '../../ui/buttons/secret.tsx'
import { AskButton } from '../../ui/layers/confirm.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Panel } from '../../ui/states/panel.tsx'
import { Outcome } from './outcome.tsx'
import styles from './settings.module.css'
import { useChange } from './use-change.ts'

/** The token that signs in as the team in any browser. */
export function TokenSection({ token }: { readonly token: string }) {
  const text = useMessages(settingsMessages)
  const account = useMessages(accountMessages)
  const event = useConfig()?.ctfName ?? ''
  const save = () => {
    saveFile({ name: 'team-token.txt', content: `${event}\n${token}\n`, type: 'text/plain' })
  }
  return (
    <Panel title={text.token}>
      <div className={styles.form}>
        <p>{token === '' ? text.hiddenToken : text.tokenText}</p>
        {token !== '' && (
          <>
            <Secret label={text.token} value={token} />
            <div className={styles.actions}>
              <Button icon="download" onClick={save}>
                {account.download}
              </Button>
            </div>
            {/* A new token needs a new code. */}
            <Invitation key={token} token={token} level={3} />
            <SignOutEverywhere />
          </>
        )}
      </div>
    </Panel>
  )
}

/** Ends all other sessions of the team and replaces the team token. */
function SignOutEverywhere() {
  const text = useMessages(settingsMessages)
  const change = useChange()
  const signOut = async () => {
    await change.run(
      async () => {
        const response = await send(signOutEverywhere, {})
        // Before any other request, because the old token is now invalid.
        if (response.kind === 'goodSignOutEverywhere') renewToken(response.data.authToken)
        return response
      },
      () => change.setNext(text.signedOutEverywhere),
    )
  }
  return (
    <>
      <p>{text.signOutEverywhereText}</p>
      <Outcome change={change} />
      <div className={styles.actions}>
        <AskButton
          tone="danger"
          disabledBecause={change.waitS > 0 ? text.rateLimited : undefined}
          title={text.signOutEverywhereTitle}
          about={<p>{text.signOutEverywhereAbout}</p>}
          action={text.signOutEverywhere}
          busy={change.isPending}
          onConfirm={signOut}
        >
          {change.waitS > 0 ? text.retryIn(change.waitS) : text.signOutEverywhere}
        </AskButton>
      </div>
    </>
  )
}
