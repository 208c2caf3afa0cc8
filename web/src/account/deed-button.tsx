import { useText } from '../text/catalogue.ts'
import { Button, type ButtonProps } from '../ui/buttons/button.tsx'
import { accountWords } from './words.ts'

interface DeedButtonProps extends Omit<ButtonProps, 'tone'> {
  /** Seconds until the next try, after too many; 0 for now. */
  readonly waitS: number
}

/** What a page is for. After too many tries it counts down to the next, and takes no press before. */
export function DeedButton({ waitS, children, ...props }: DeedButtonProps) {
  const { tooFast, nextIn } = useText(accountWords)
  return (
    <Button {...props} tone="primary" disabledBecause={waitS > 0 ? tooFast : props.disabledBecause}>
      {waitS > 0 ? nextIn(waitS) : children}
    </Button>
  )
}
