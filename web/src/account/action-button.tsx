import { accountMessages } from '../text/en/account.ts'
import { useMessages } from '../text/messages.ts'
import { Button, type ButtonProps } from '../ui/buttons/button.tsx'

interface ActionButtonProps extends Omit<ButtonProps, 'tone'> {
  /** Seconds until the next attempt is allowed, after too many; 0 for now. */
  readonly waitS: number
}

/** The main action of a page. When rate-limited, it shows a countdown and ignores clicks until it ends. */
export function ActionButton({ waitS, children, ...props }: ActionButtonProps) {
  const { tooManyAttempts: tooFast, retryIn: nextIn } = useMessages(accountMessages)
  return (
    <Button {...props} tone="primary" disabledBecause={waitS > 0 ? tooFast : props.disabledBecause}>
      {waitS > 0 ? nextIn(waitS) : children}
    </Button>
  )
}
