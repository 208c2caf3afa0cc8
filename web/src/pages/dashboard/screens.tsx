import { lazy, Suspense, useState } from 'react'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useMessages } from '../../text/messages.ts'
import { useMay } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/buttons/button.tsx'
import { Panel } from '../../ui/states/panel.tsx'

const Composer = lazy(async () => ({
  default: (await import('./screen-composer.tsx')).Composer,
}))

/** What organisers show to an audience. */
export function Screens() {
  const text = useMessages(dashboardMessages)
  const [isOpen, setOpen] = useState(false)
  const mayReveal = useMay('leaderboardRead')
  return (
    <Panel title={text.screens}>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {text.bigScreen}
      </Button>{' '}
      {mayReveal && (
        <a className={buttonClass('plain')} href={paths.ceremony()} target="_blank" rel="noreferrer">
          {text.ceremony}
        </a>
      )}
      <Suspense>{isOpen && <Composer onClose={() => setOpen(false)} />}</Suspense>
    </Panel>
  )
}
