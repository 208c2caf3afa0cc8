import { FrozenNotice } from '../../layout/states/frozen-notice.tsx'
import { freezeMessages } from '../../text/en/freeze.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'

interface FrozenBarProps {
  readonly isLive: boolean
  /** Absent for those who see the frozen standings only. */
  readonly onChange?: ((isLive: boolean) => void) | undefined
}

/** The notice about the freeze above the scoreboard, with a switch for organisers. */
export function FrozenBar({ isLive, onChange }: FrozenBarProps) {
  const text = useMessages(freezeMessages)
  return (
    <FrozenNotice>
      <span>{isLive ? text.liveNow : text.others}</span>
      {onChange && (
        <Button onClick={() => onChange(!isLive)}>{isLive ? text.showFrozen : text.showLive}</Button>
      )}
    </FrozenNotice>
  )
}
