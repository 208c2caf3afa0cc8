import { useConfig } from '../api/use-contest.ts'
import { accountMessages } from '../text/en/account.ts'
import { personSignInMessages } from '../text/en/person-sign-in.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import styles from './account.module.css'
import { FailureLine } from './failure-line.tsx'
import { leaveForProvider } from './provider-journey.ts'
import { useAction } from './use-action.ts'

/** One button for each site with whose accounts people sign in. */
export function ProviderButtons({ next }: { readonly next: string | null }) {
  const text = useMessages(personSignInMessages)
  const account = useMessages(accountMessages)
  const providers = useConfig()?.people?.providers ?? []
  const action = useAction('once', text.failures)
  const leave = (provider: string) => action.run(() => leaveForProvider({ provider, isLink: false, next }))
  if (providers.length === 0) return null
  return (
    <>
      <div className={styles.actions}>
        {providers.map(({ id, label }) => (
          <Button key={id} icon="external" busy={action.isPending} onClick={() => void leave(id)}>
            {text.withProvider(label)}
          </Button>
        ))}
      </div>
      <FailureLine>{action.waitS > 0 ? account.tooManyAttempts : action.failure}</FailureLine>
    </>
  )
}
