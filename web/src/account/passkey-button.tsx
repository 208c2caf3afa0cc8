import { safeNext } from '../paths.ts'
import { signIn } from '../state/session.ts'
import { accountMessages } from '../text/en/account.ts'
import { personPasskeyMessages } from '../text/en/person-passkeys.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import styles from './account.module.css'
import { FailureLine } from './failure-line.tsx'
import { canUsePasskeys, signInWithPasskey } from './passkey.ts'
import { useAction } from './use-action.ts'
import { useEnter } from './use-enter.ts'

/** Signs in without a name: the authenticator knows whose passkey it is. */
export function PasskeyButton({ next }: { readonly next: string | null }) {
  const text = useMessages(personPasskeyMessages)
  const account = useMessages(accountMessages)
  const enter = useEnter()
  const action = useAction('once', text.failures)
  const start = async () => {
    const response = await action.run(signInWithPasskey)
    if (response?.kind !== 'goodPersonSignIn') return
    signIn(response.data.authToken)
    enter(response.data, safeNext(next))
  }
  if (!canUsePasskeys()) return null
  return (
    <>
      <div className={styles.actions}>
        <Button icon="key" busy={action.isPending} onClick={() => void start()}>
          {text.signIn}
        </Button>
      </div>
      <FailureLine>{action.waitS > 0 ? account.tooManyAttempts : action.failure}</FailureLine>
    </>
  )
}
