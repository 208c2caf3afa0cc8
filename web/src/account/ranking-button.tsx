import { useConfig } from '../api/use-contest.ts'
import { Button } from '../ui/buttons/button.tsx'
import { leaveForRankingSite, type Purpose } from './ranking-journey.ts'

interface RankingButtonProps {
  readonly purpose: Purpose
  readonly children: string
}

/** The way to the ranking site's sign-in; nothing where the event has none. */
export function RankingButton({ purpose, children }: RankingButtonProps) {
  const site = useConfig()?.extrank
  if (!site) return null
  return (
    <Button icon="external" onClick={() => leaveForRankingSite(site, purpose)}>
      {children}
    </Button>
  )
}
