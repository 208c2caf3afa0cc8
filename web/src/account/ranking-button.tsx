import { useConfig } from '../api/use-contest.ts'
import { Button } from '../ui/buttons/button.tsx'
import { leaveForRankingSite, type Purpose } from './ranking-journey.ts'

interface RankingButtonProps {
  readonly purpose: Purpose
  readonly children: string
}

/** Starts the sign-in at the ranking site. Renders nothing if the event has no ranking site. */
export function RankingButton({ purpose, children }: RankingButtonProps) {
  const site = useConfig()?.extrank
  if (!site) return null
  return (
    <Button icon="external" onClick={() => leaveForRankingSite(site, purpose)}>
      {children}
    </Button>
  )
}
