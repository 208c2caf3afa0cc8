import { useConfig } from '../api/use-contest.ts'
import { Button } from '../ui/buttons/button.tsx'
import type { Purpose } from './ranking-journey.ts'

interface RankingButtonProps {
  readonly purpose: Purpose
  readonly children: string
}

/** Starts the sign-in at the ranking site. Renders nothing if the event has no ranking site. */
export function RankingButton({ purpose, children }: RankingButtonProps) {
  const site = useConfig()?.extrank
  if (!site) return null
  const leave = async () => (await import('./ranking-journey.ts')).leaveForRankingSite(site, purpose)
  return (
    <Button icon="external" onClick={() => void leave()}>
      {children}
    </Button>
  )
}
